/**
 * What the owner decided about the shop. Read with nearly every call of staff, so each process keeps it, until the
 * change bus tells of a change (channel `settings`); while it cannot be told, the database is asked.
 */
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { settingFields, settingNames, type StoredSettings, unknownTimeZone } from '../../shared/settingFields';
import { defaultSettings } from '../../shared/settings';
import { canonicalTimeZone, resolveTimeZone } from '../../shared/timeZones';
import { fromRatePpm } from '../../shared/total';
import { changed, writeAudit } from '../audit/service';
import { isSecondFactorOfStaff, requireSecondFactorOfStaff } from '../auth/core/duties';
import type { Sessions } from '../auth/sessions/sessions';
import type { ChangeBus } from '../db/core/changeBus';
import { deliveryMethods, discounts, shopSettings, taxRates } from '../db/schema/tables';
import { notifyAfterCommit, type Connection, type Db, type Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { createChangeCache } from '../http/cache/changeCache';
import { invalid } from '../http/core/problems';

export type SettingsCache = {
  get: () => Promise<StoredSettings>;
  /** What may come to the goods of an order; whoever changes it tells the channel `settings`. */
  checkout: () => Promise<Schema<'ShopCheckout'>>;
};

export function createSettingsCache(db: Db, bus: ChangeBus): SettingsCache {
  const kept = createChangeCache<StoredSettings>(bus, { max: 1, touches: () => true });
  const keptCheckout = createChangeCache<Schema<'ShopCheckout'>>(bus, { max: 1, touches: () => true });
  bus.on('settings', (what) => what === ofCheckout || kept.dropAll());
  bus.on('settings', keptCheckout.dropAll);
  return {
    get: async () => kept.get('settings', () => readShopSettings(db)),
    checkout: async () => keptCheckout.get('checkout', () => readCheckout(db)),
  };
}

export async function readShopSettings(connection: Connection): Promise<StoredSettings> {
  const { secondFactorOfStaff: _, ...untouched } = defaultSettings;
  const [row] = await connection.select().from(shopSettings).where(eq(shopSettings.only, true));
  if (!row) return untouched;
  const { only: _only, changedAt: _changedAt, ...settings } = row;
  return settings;
}

/** Methods in their order, rates by state; a code that has ended since it was read is refused when it is tried. */
async function readCheckout(connection: Connection): Promise<Schema<'ShopCheckout'>> {
  const methods = await connection
    .select()
    .from(deliveryMethods)
    .where(and(eq(deliveryMethods.isActive, true), isNull(deliveryMethods.archivedAt)))
    .orderBy(asc(deliveryMethods.position), asc(deliveryMethods.id));
  const rates = await connection.select().from(taxRates).orderBy(asc(taxRates.state));
  const codes = await connection
    .select({ id: discounts.id })
    .from(discounts)
    .where(eq(discounts.isActive, true))
    .limit(1);
  return {
    deliveryMethods: methods.map(({ id, name, description, priceCents, freeFromCents, states }) => ({
      id,
      name,
      description,
      price: fromCents(priceCents),
      freeFrom: freeFromCents === null ? null : fromCents(freeFromCents),
      states,
    })),
    taxRates: rates.map(({ state, ratePpm, taxesDelivery }) => ({ state, rate: fromRatePpm(ratePpm), taxesDelivery })),
    takesCodes: codes.length > 0,
  };
}

/** All that the settings page shows. */
export async function readSettings(connection: Connection): Promise<Schema<'Settings'>> {
  const secondFactorOfStaff = await isSecondFactorOfStaff(connection);
  return { ...(await readShopSettings(connection)), secondFactorOfStaff };
}

const personal = settingNames.filter((name) => settingFields[name].isPersonal);

/**
 * @throws Problem 400 invalid_request for a time zone that Intl or the database does not know, 409 second_factor_is_off
 * Rule: docs/rules/back-office.md, Settings
 */
export async function updateSettings(
  tx: Tx,
  { secondFactorOfStaff, timeZone, ...others }: Schema<'NewSettings'>,
  { sessions, by, now }: { sessions: Sessions; by: Actor; now: Date },
): Promise<Schema<'Settings'>> {
  const settings = { ...others, timeZone: await requireTimeZone(tx, timeZone) };
  const before = await readSettings(tx);
  const facts = changed(before, settings, personal);
  if (facts) {
    const row = { ...settings, changedAt: now };
    await tx.insert(shopSettings).values(row).onConflictDoUpdate({ target: shopSettings.only, set: row });
    await notifySettings(tx);
    await writeAudit(tx, { by, action: 'setting.changed', target: { kind: 'setting', id: 'shop' }, ...facts, now });
  }
  if (secondFactorOfStaff !== before.secondFactorOfStaff)
    await requireSecondFactorOfStaff(tx, sessions, { isRequired: secondFactorOfStaff, by, now });
  return readSettings(tx);
}

/** What the channel `settings` says when delivery methods, tax rates or discounts are others now, and nothing else. */
export const ofCheckout = 'checkout';

/** Tells all processes that the settings are others now, or what the checkout is made of. */
export async function notifySettings(tx: Tx, what: '' | typeof ofCheckout = ''): Promise<void> {
  await tx.execute(sql`select pg_notify('settings', ${what})`);
  notifyAfterCommit(tx, 'settings', what);
}

/**
 * Screens tell times by Intl, figures by the database: both have to know the zone.
 * @returns its canonical name, or an alias where the database is too old for that
 */
async function requireTimeZone(tx: Tx, timeZone: string): Promise<string> {
  const names = [canonicalTimeZone(timeZone), resolveTimeZone(timeZone)].filter((name) => name !== undefined);
  const { rows } = await tx.execute<{ name: string }>(
    sql`select name from pg_timezone_names where name in ${[...names, '']}`,
  );
  const known = names.find((name) => rows.some((row) => row.name === name));
  if (known) return known;
  throw invalid(unknownTimeZone, [{ field: 'timeZone', message: unknownTimeZone }]);
}
