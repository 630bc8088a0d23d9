/**
 * The owner's settings. Nearly every call of staff reads them, so each process caches them until the change bus
 * (channel `settings`) reports a change; while the bus is disconnected, they are read from the database.
 */
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { settingFields, settingNames, type StoredSettings, unknownTimeZone } from '../../shared/settingFields';
import { defaultSettings } from '../../shared/settings';
import { canonicalTimeZone, resolveTimeZone } from '../../shared/timeZones';
import { fromRatePpm } from '../../shared/total';
import { changed, writeAudit } from '../audit/service';
import { isSecondFactorOfStaff, requireSecondFactorOfStaff } from '../auth/core/requiredActions';
import type { Sessions } from '../auth/sessions/sessions';
import type { ChangeBus } from '../db/core/changeBus';
import { deliveryMethods, discounts, pages, shopSettings, type StoredLogo, taxRates } from '../db/schema/tables';
import { notifyAfterCommit, type Connection, type Db, type Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { renderAbout, type About } from './about';
import { createChangeCache } from '../http/cache/changeCache';
import { invalid } from '../http/core/problems';

export type SettingsCache = {
  get: () => Promise<StoredSettings>;
  logo: () => Promise<StoredLogo | null>;
  about: () => Promise<About>;
  /** What can be added to an order's goods; code that changes it must notify the channel `settings`. */
  checkout: () => Promise<Schema<'ShopCheckout'>>;
  /** The published pages in footer order. */
  pages: () => Promise<readonly Schema<'ShopPageLink'>[]>;
};

export function createSettingsCache(db: Db, bus: ChangeBus): SettingsCache {
  const settingsCache = createChangeCache<ShopRow & { about: About }>(bus, { max: 1, touches: () => true });
  const checkoutCache = createChangeCache<Schema<'ShopCheckout'>>(bus, { max: 1, touches: () => true });
  const pagesCache = createChangeCache<Schema<'ShopPageLink'>[]>(bus, { max: 1, touches: () => true });
  bus.on('settings', (what) => [checkoutOnly, pagesOnly].includes(what) || settingsCache.dropAll());
  bus.on('settings', (what) => what === pagesOnly || checkoutCache.dropAll());
  bus.on('settings', (what) => what === checkoutOnly || pagesCache.dropAll());
  const read = async () =>
    settingsCache.get('settings', async () => {
      const row = await readShopRow(db);
      return { ...row, about: await renderAbout(row.settings.aboutText) };
    });
  return {
    get: async () => (await read()).settings,
    logo: async () => (await read()).logo,
    about: async () => (await read()).about,
    checkout: async () => checkoutCache.get('checkout', () => readCheckout(db)),
    pages: async () => pagesCache.get('pages', () => readPageLinks(db)),
  };
}

export type ShopRow = { settings: StoredSettings; logo: StoredLogo | null };

export async function readShopRow(connection: Connection): Promise<ShopRow> {
  const [row] = await connection.select().from(shopSettings).where(eq(shopSettings.only, true));
  if (!row) return { settings: untouched, logo: null };
  const { only: _only, changedAt: _changedAt, logo, ...settings } = row;
  return { settings, logo };
}

const { secondFactorOfStaff: _, ...untouched } = defaultSettings;

export const readShopSettings = async (connection: Connection): Promise<StoredSettings> =>
  (await readShopRow(connection)).settings;

/**
 * Methods in checkout order, rates by state. A discount code that ended since is rejected when a customer enters it.
 */
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

const readPageLinks = (connection: Connection): Promise<Schema<'ShopPageLink'>[]> =>
  connection
    .select({ slug: pages.slug, title: pages.title })
    .from(pages)
    .where(and(eq(pages.isPublished, true), isNull(pages.archivedAt)))
    .orderBy(asc(pages.position), asc(pages.id));

export type AllSettings = { settings: Schema<'Settings'>; logo: StoredLogo | null };

/** Everything that the settings page shows. */
export async function readSettings(connection: Connection): Promise<AllSettings> {
  const secondFactorOfStaff = await isSecondFactorOfStaff(connection);
  const { settings, logo } = await readShopRow(connection);
  return { settings: { ...settings, secondFactorOfStaff }, logo };
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
): Promise<AllSettings> {
  const settings = { ...others, timeZone: await requireTimeZone(tx, timeZone) };
  const { settings: before } = await readSettings(tx);
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

/** @param logo whose files are written @returns all settings */
export async function updateLogo(
  tx: Tx,
  logo: StoredLogo | null,
  { by, now }: { by: Actor; now: Date },
): Promise<AllSettings> {
  const { logo: before } = await readShopRow(tx);
  if (before?.hash === logo?.hash) return readSettings(tx);
  await tx
    .insert(shopSettings)
    .values({ ...untouched, logo, changedAt: now })
    .onConflictDoUpdate({ target: shopSettings.only, set: { logo, changedAt: now } });
  await notifySettings(tx);
  const action = logo ? 'setting.logo_changed' : 'setting.logo_removed';
  await writeAudit(tx, { by, action, target: { kind: 'setting', id: 'shop' }, now });
  return readSettings(tx);
}

/** The payload on the channel `settings` when only delivery methods, tax rates or discounts changed. */
export const checkoutOnly = 'checkout';
/** The payload when only pages changed. */
export const pagesOnly = 'pages';

/** Notifies all processes that the settings changed, or only one part. */
export async function notifySettings(tx: Tx, what: '' | typeof checkoutOnly | typeof pagesOnly = ''): Promise<void> {
  await tx.execute(sql`select pg_notify('settings', ${what})`);
  notifyAfterCommit(tx, 'settings', what);
}

/**
 * Requires a time zone that both Intl and the database know: the screens use Intl, and the reports the database.
 * @returns the canonical name, or an alias if the database is too old for it
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
