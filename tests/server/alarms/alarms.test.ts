import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alarms, paymentEvents } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { raiseAlarm } from '../../../src/server/alarms/service';
import { buy, openOrder, until } from '../../support/buying';
import { checkPaymentKey } from '../../../src/server/payments/keyCheck';
import { openPayments } from '../../../src/server/payments/provider';
import { openOwnShop, publicUrl, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Example Admin' });
});
afterAll(() => shop.close());

const raise = (about: string) =>
  transact(shop.db, (tx) =>
    raiseAlarm(tx, { kind: 'event_refused', about, detail: 'Something strange', now: shop.clock.now() }),
  );
const openAlarms = async () => (await shop.call('listAlarms', { as: admin, query: { size: 100 } })).data.alarms.content;
const silent = () => shop.db.select().from(alarms).where(eq(alarms.kind, 'webhook_silent'));

test('an alarm is raised once per thing, is shown until it is settled, and is not raised again afterwards', async () => {
  const about = `event:${randomUUID()}`;
  await Promise.all([raise(about), raise(about)]);
  const [alarm, ...others] = await openAlarms();
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ kind: 'event_refused', detail: 'Something strange', settledAt: null });
  const settled = await shop.call('settleAlarm', { as: admin, path: { alarmId: alarm?.id ?? '' } });
  expect(settled.data.alarm).toMatchObject({ settledBy: 'Example Admin', settledAt: expect.any(String) });
  expect(await openAlarms()).toEqual([]);
  await raise(about);
  expect(await openAlarms()).toEqual([]);
});

test('when two people settle it, the first one counts', async () => {
  await raise(`event:${randomUUID()}`);
  const other = await shop.signIn({ role: 'ROLE_OWNER', fullName: 'Example Owner' });
  const path = { alarmId: (await openAlarms())[0]?.id ?? '' };
  await shop.call('settleAlarm', { as: admin, path });
  expect((await shop.call('settleAlarm', { as: other, path })).data.alarm.settledBy).toBe('Example Admin');
});

test('a day of paid orders without a webhook from the provider raises an alarm, once a day', async () => {
  const order = await openOrder(shop);
  await buy(shop, order);
  shop.clock.advance(20 * 60_000);
  await shop.jobs.watchWebhook();
  expect(await silent()).toEqual([]);
  await shop.db.delete(paymentEvents);
  await shop.jobs.watchWebhook();
  expect(await silent()).toEqual([]); // a new shop has a day to set up its webhooks
  shop.clock.advance(86_400_000);
  await buy(shop, await openOrder(shop));
  await shop.db.delete(paymentEvents);
  shop.clock.advance(20 * 60_000);
  await shop.jobs.watchWebhook();
  await shop.jobs.watchWebhook();
  expect(await silent()).toHaveLength(1);
});

test('an event found by polling the provider’s list does not count as a webhook', async () => {
  await shop.control('deliveries', { mode: 'drop' });
  const before = (await silent()).length;
  await shop.db.delete(paymentEvents);
  shop.clock.advance(86_400_000);
  await buy(shop, await openOrder(shop));
  await shop.jobs.sweepPayments();
  shop.clock.advance(20 * 60_000);
  await shop.jobs.watchWebhook();
  expect(await silent()).toHaveLength(before + 1);
});

test('a webhook that arrives after the list was read still counts', async () => {
  shop.clock.advance(86_400_000);
  await shop.control('deliveries', { mode: 'hold' });
  const order = await openOrder(shop);
  await buy(shop, order, false);
  await shop.jobs.sweepPayments();
  const isCompleted = eq(paymentEvents.type, 'checkout.session.completed');
  const events = () =>
    shop.db
      .select()
      .from(paymentEvents)
      .where(and(eq(paymentEvents.orderId, order.orderId), isCompleted));
  expect(await events()).toMatchObject([{ isFetched: true }]);
  await shop.control('deliveries', { mode: 'normal' });
  await until(async () => expect(await events()).toMatchObject([{ isFetched: false }]));
  const before = (await silent()).length;
  shop.clock.advance(20 * 60_000);
  await shop.jobs.watchWebhook();
  expect(await silent()).toHaveLength(before);
});

test('a key that the provider rejects raises an alarm, which ends once a key works', async () => {
  const refused = () => shop.db.select().from(alarms).where(eq(alarms.kind, 'payment_key_refused'));
  const said: string[] = [];
  const logger = { error: (sentence: string) => void said.push(sentence) };
  const openWith = (secretKey: string, apiUrl = shop.sandbox.url) =>
    openPayments({ ...shop.sandboxKeys, secretKey, apiUrl: new URL(apiUrl), publicUrl });
  const wrong = { ...shop, payments: openWith('sk_test_of_another_shop') };
  await checkPaymentKey(wrong, logger);
  await checkPaymentKey(wrong, logger);
  expect(said[0]).toBe(
    "Customers can't pay because the payment provider rejects STRIPE_SECRET_KEY. Set the right key and restart the shop.",
  );
  expect(await refused()).toMatchObject([{ settledAt: null }]);
  await checkPaymentKey({ ...shop, payments: openWith('sk_test_unasked', 'http://127.0.0.1:9') }, logger);
  expect(await refused()).toMatchObject([{ settledAt: null }]);
  await shop.jobs.watchWebhook();
  expect(await refused()).toMatchObject([{ settledAt: expect.any(Date) }]);
});

test('a day without orders raises no alarm', async () => {
  const before = (await silent()).length;
  shop.clock.advance(3 * 86_400_000);
  await shop.jobs.watchWebhook();
  expect(await silent()).toHaveLength(before);
});
