/**
 * All tables of the shop. Money is in cents, ids are UUIDs, and no time has a default: all times come from the shop's clock
 * (core/clock.ts). What Drizzle cannot express (triggers) is in db/migrations. Indexes are ascending: `order by … desc`
 * reads them backwards, while Drizzle's `.desc()` puts nulls last, does not match such a query, and would not be used.
 */
export * from './accounts';
export * from './backups';
export * from './cards';
export * from './catalog';
export * from './customers';
export * from './importedProducts';
export * from './imports';
export * from './lists';
export * from './mails';
export * from './orders';
export * from './orderWords';
export * from './pages';
export * from './payments';
export * from './selling';
export * from './shop';
