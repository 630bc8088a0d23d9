import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notKept } from '../../../src/server/audit/service';
import { defaultSettings } from '../../../src/shared/settings';
import { canonicalTimeZone, timeZoneChoices } from '../../../src/shared/timeZones';
import { bearer, mailsTo, newStaff } from '../../support/accounts';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});

const settings = { ...defaultSettings, shopName: 'Kerr Spices', contactPhone: '', timeZone: 'Africa/Banjul' };
const save = (body: object) => shop.call('updateSettings', { as: owner, body });
const auditRows = async () =>
  (await shop.pool.query(`select before, after from audit_log where target_id = 'shop' order by id`)).rows;

describe('the settings', () => {
  test('are the defaults until the owner changes them, and each change is in the audit log', async () => {
    const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
    const read = async () => (await shop.call('getSettings', { as: admin })).data.settings;
    expect(await read()).toEqual(defaultSettings);
    expect(await save(settings)).toMatchObject({ message: 'Settings saved', data: { settings } });
    expect(await read()).toEqual(settings);
    await save(settings);
    await save({ ...settings, contactEmail: 'kerr@example.com', lowStockThreshold: 3 });
    expect(await auditRows()).toEqual([
      {
        before: { shopName: defaultSettings.shopName, contactPhone: notKept, timeZone: 'America/New_York' },
        after: { shopName: 'Kerr Spices', contactPhone: notKept, timeZone: 'Africa/Banjul' },
      },
      {
        before: { contactEmail: notKept, lowStockThreshold: 10 },
        after: { contactEmail: notKept, lowStockThreshold: 3 },
      },
    ]);
  });

  test('are changed by the owner only', async () => {
    const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
    expect(await shop.call('updateSettings', { as: admin, body: settings })).toMatchObject({ status: 403 });
  });

  test('are the same in every process of the shop, a moment after they were saved', async () => {
    const second = await shop.openProcess();
    const call = shop.callerOf(second.app);
    const nameAt = async (at: typeof call) => (await at('getShop')).data.shop.name;
    await save({ ...settings, shopName: 'First' });
    expect(await nameAt(shop.call)).toBe('First');
    await expect.poll(() => nameAt(call), { interval: 20 }).toBe('First');
    await call('updateSettings', { as: owner, body: { ...settings, shopName: 'Second' } });
    expect(await nameAt(call)).toBe('Second');
    await expect.poll(() => nameAt(shop.call), { interval: 20 }).toBe('Second');
    await second.close();
  });

  test('give everyone the name of the shop, its contact details, its time zone, and its units', async () => {
    await save({ ...settings, timeZone: 'America/Chicago' });
    const { shopName: name, contactEmail, contactPhone } = settings;
    const { data } = await shop.call('getShop');
    const checkout = { deliveryMethods: [], taxRates: [], takesCodes: false };
    expect(data.shop).toEqual({
      checkout,
      pages: [],
      name,
      contactEmail,
      contactPhone,
      timeZone: 'America/Chicago',
      units: 'us',
    });
  });

  test('name the shop under its mails', async () => {
    await save({ ...settings, shopName: 'Kerr & Sons', contactEmail: 'kerr@example.com', contactPhone: '555 0100' });
    const email = `${randomUUID()}@example.com`;
    await shop.call('createContactMessage', { body: { email, reason: 'Hello' } });
    const [mail] = await mailsTo(shop, email);
    expect(mail).toMatch(
      /Kerr & Sons\r?\nkerr@example\.com · 555 0100\r?\nYou're getting this because you wrote to Kerr & Sons\./,
    );
    expect(mail).toContain('Kerr &amp; Sons<br>kerr@example.com · 555 0100<br>');
  });

  test.each([
    [{ timeZone: 'Mars/Olympus' }, 'timeZone', 'Choose a time zone from the list'],
    [{ timeZone: `UTC'; drop table users` }, 'timeZone', 'Choose a time zone from the list'],
    [{ shopName: ' ' }, 'shopName', 'Enter the shop name'],
    [{ contactEmail: 'nobody' }, 'contactEmail', 'Invalid email address'],
    [{ contactPhone: 'call me' }, 'contactPhone', 'Enter a phone number'],
    [{ lowStockThreshold: 1.5 }, 'lowStockThreshold', 'Enter a whole number of units from 0 to 1,000'],
    [{ lowStockThreshold: 1001 }, 'lowStockThreshold', 'Enter a whole number of units from 0 to 1,000'],
    [{ newCustomerUnits: 0 }, 'newCustomerUnits', 'Enter a whole number of units from 1 to 99'],
    [{ newCustomerUnits: 100 }, 'newCustomerUnits', 'Enter a whole number of units from 1 to 99'],
    [{ newCustomerUnits: 2.5 }, 'newCustomerUnits', 'Enter a whole number of units from 1 to 99'],
    [{ newCustomerUnits: '5' }, 'newCustomerUnits', 'Enter a whole number of units from 1 to 99'],
  ])('reject %j', async (change, field, message) => {
    expect(await save({ ...settings, ...change })).toMatchObject({ status: 400, errors: [{ field, message }] });
  });

  test.each([
    ['America/Indianapolis', 'America/Indiana/Indianapolis'],
    ['America/Indiana/Indianapolis', 'America/Indiana/Indianapolis'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['US/Eastern', 'America/New_York'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Etc/UTC', 'UTC'],
  ])('accept %s and store it as %s, which the form can choose', async (timeZone, kept) => {
    expect((await save({ ...settings, timeZone })).data.settings.timeZone).toBe(kept);
    expect(timeZoneChoices(kept).filter((zone) => zone === kept)).toHaveLength(1);
  });

  test('accept every zone that an engine or the database lists', async () => {
    const { rows } = await shop.pool.query<{ name: string }>('select name from pg_timezone_names');
    const inDatabase = rows
      .map(({ name }) => name)
      .filter((name) => /^(?!posix|right)[A-Z][\w+-]+(\/[\w+/-]+)?$/.test(name));
    const listed = [...Intl.supportedValuesOf('timeZone'), ...timeZoneChoices('UTC'), ...inDatabase];
    const refused = listed.filter((name) => !inDatabase.includes(canonicalTimeZone(name) ?? ''));
    expect([...new Set(refused)]).toEqual(['Factory']); // stands for an unset clock
    const changing = listed
      .map((name) => canonicalTimeZone(name) ?? name)
      .filter((name) => (canonicalTimeZone(name) ?? name) !== name);
    expect(changing).toEqual([]);
    expect(timeZoneChoices('Mars/Olympus')).toContain('Mars/Olympus'); // cached now, but not known to this browser
  });

  test('keep what an older client leaves out', async () => {
    await save({ ...settings, newCustomerUnits: 5 });
    const { newCustomerUnits: _, ...known } = settings;
    expect((await save({ ...known, shopName: 'Kept' })).data.settings).toMatchObject({ newCustomerUnits: 5 });
    expect((await auditRows()).slice(-2)).toEqual([
      {
        before: expect.objectContaining({ newCustomerUnits: 99 }),
        after: expect.objectContaining({ newCustomerUnits: 5 }),
      },
      { before: expect.not.objectContaining({ newCustomerUnits: 5 }), after: { shopName: 'Kept' } },
    ]);
  });

  test('accept the time zones of the browser that the database knows, all but a few', async () => {
    const { rows } = await shop.pool.query<{ name: string }>('select name from pg_timezone_names');
    const known = new Set(rows.map(({ name }) => name));
    const missing = Intl.supportedValuesOf('timeZone').filter((zone) => !known.has(zone));
    expect(missing.length).toBeLessThan(5);
    expect((await save({ ...settings, timeZone: 'UTC' })).status).toBe(200);
  });
});

describe('the second factor for all staff', () => {
  const ask = (isAsked: boolean) => save({ ...settings, secondFactorOfStaff: isAsked });
  const giveOwnerOne = () =>
    shop.pool.query('update users set totp_confirmed_at = $1 where id = $2', [shop.clock.now(), owner.userId]);

  test('can be required only by an owner who has one, and nothing else is changed then', async () => {
    const before = await auditRows();
    const answer = await save({ ...settings, shopName: 'Other', secondFactorOfStaff: true });
    expect(answer).toMatchObject({ status: 409, code: 'second_factor_is_off' });
    expect(await auditRows()).toEqual(before);
  });

  test('logs out staff without one, until it is no longer required', async () => {
    await giveOwnerOne();
    const staff = await newStaff(shop);
    expect((await ask(true)).data.settings.secondFactorOfStaff).toBe(true);
    expect((await shop.call('listOrders', { headers: bearer(staff) })).status).toBe(401);
    expect((await shop.call('listOrders', { as: owner })).status).toBe(200);
    expect((await ask(false)).data.settings.secondFactorOfStaff).toBe(false);
    const { rows } = await shop.pool.query(
      `select after from audit_log where target_id = 'second_factor_of_staff' order by id`,
    );
    expect(rows).toEqual([{ after: { isRequired: true } }, { after: { isRequired: false } }]);
  });
});
