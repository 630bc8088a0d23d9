import { expect, test } from 'vitest';
import { idOf, openSandbox, orderOf } from './openSandbox';
import { expectOnWire } from './schemas';

async function paidOrder() {
  const { stripe, control } = await openSandbox();
  const { id } = await stripe.checkout.sessions.create(orderOf());
  await control('pay', { session: id });
  const session = await stripe.checkout.sessions.retrieve(id);
  return { stripe, control, intent: idOf(session.payment_intent) };
}

test('a payment is refunded in parts, and never beyond what was paid', async () => {
  const { stripe, intent } = await paidOrder();
  const part = await stripe.refunds.create({ payment_intent: intent, amount: 1000, reason: 'requested_by_customer' });
  expectOnWire('refund', part);
  expect(part).toMatchObject({ amount: 1000, status: 'succeeded', payment_intent: intent });
  await expect(stripe.refunds.create({ payment_intent: intent, amount: 2150 })).rejects.toMatchObject({
    param: 'amount',
  });
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 2149 });
  await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  });

  const refunds = await stripe.refunds.list({ payment_intent: intent });
  expectOnWire('list_of_refunds', refunds);
  expect(refunds.data.map(({ amount }) => amount)).toEqual([2149, 1000]);
  const charge = await stripe.charges.retrieve(idOf(part.charge));
  expect(charge).toMatchObject({ amount_refunded: 3149, refunded: true });
});

test('of two parallel refunds that together are too much, one is rejected', async () => {
  const { stripe, control, intent } = await paidOrder();
  const both = [1, 2].map(() => stripe.refunds.create({ payment_intent: intent, amount: 2000 }));
  const results = await Promise.allSettled(both);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await control('ledger')).toMatchObject({ charges: [{ amount_refunded: 2000 }] });
});

test('a refund is reported in three events', async () => {
  const { stripe, intent } = await paidOrder();
  await stripe.refunds.create({ payment_intent: intent }, { idempotencyKey: 'refund-1' });
  const events = await stripe.events.list({ types: ['refund.*', 'charge.refunded'] });
  expectOnWire('list_of_events', events);
  expect(events.data.map(({ type }) => type)).toEqual(['refund.updated', 'charge.refunded', 'refund.created']);
  expect(events.data[0]!.request?.idempotency_key).toBe('refund-1');
});

test('only what was paid can be refunded', async () => {
  const { stripe, control } = await openSandbox();
  const { id } = await stripe.checkout.sessions.create(orderOf());
  await control('decline', { session: id });
  const { charges } = await control<{ charges: { id: string; payment_intent: string }[] }>('ledger');
  const { id: charge, payment_intent } = charges[0]!;
  await expect(stripe.refunds.create({ charge })).rejects.toThrow(/failed and cannot be refunded/);
  await expect(stripe.refunds.create({ payment_intent })).rejects.toThrow(/does not have a successful charge/);
  await expect(stripe.refunds.create({})).rejects.toMatchObject({ code: 'parameter_missing' });
  await expect(stripe.refunds.create({ charge: 'ch_x' })).rejects.toMatchObject({ code: 'resource_missing' });
});
