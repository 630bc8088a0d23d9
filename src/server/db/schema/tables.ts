/**
 * Every table of the shop, by what it is about. Money is whole cents, ids are UUIDs, and no time has a default: all of
 * them come from the shop's one clock (server/clock.ts). What a table cannot say in Drizzle (the catalog's trigger)
 * stands in db/migrations. Indexes go upwards: `order by … desc` reads them backwards, while one that Drizzle writes with `.desc()`
 * puts its nulls last, where such a query wants them first, and would not be used.
 */
export * from './accounts';
export * from './catalog';
export * from './lists';
export * from './mails';
export * from './orders';
export * from './payments';
export * from './selling';
export * from './shop';
