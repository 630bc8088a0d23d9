import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBooks, openOrder, timelineOf, until } from '../../support/buying';
import { seed } from '../../support/random';
import { openOwnShop, type TestShop } from '../../support/shop';

/** Whatever happens to webhooks and the provider's list, a paid order is PAID at the second sweep, once. */
const minuteMs = 60_000;
const list = 'GET /v1/events';

type Step =
  | { kind: 'pay'; order: number }
  | { kind: 'deliveries'; mode: string }
  | { kind: 'fault'; fault: string; next: number }
  | { kind: 'minute' }
  | { kind: 'processes' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pay' as const), order: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('deliveries' as const),
      mode: fc.constantFrom('normal', 'drop', 'hold', 'duplicate', 'reverse'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom('500', '503', 'reset_after', 'bad_json'),
      next: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'minute' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'processes' as const }) },
);

describe.each([
  ['as the shop’s', 0],
  ['five minutes behind', -5 * minuteMs],
  ['five minutes ahead', 5 * minuteMs],
])('with a provider’s clock %s', (_, aheadMs) => {
  let shop: TestShop;
  let isPlaced = false;
  beforeAll(async () => {
    // ahead, it opens no session that lives 31 minutes by our clock: it drifts after that
    shop = await openOwnShop({ providerIsAheadMs: () => (isPlaced || aheadMs < 0 ? aheadMs : 0) });
  });
  afterAll(async () => {
    await checkBooks(shop);
    await shop.close();
  });

  test('no paid order is lost and none is paid twice', { timeout: 90_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        isPlaced = false;
        const orders = await Promise.all(Array.from({ length: 4 }, () => openOrder(shop)));
        isPlaced = true;
        const paid = new Set<number>();
        for (const taken of steps) {
          if (taken.kind === 'pay') paid.add(taken.order);
          await take(taken, orders);
        }
        await shop.control('deliveries', { mode: 'drop' });
        await untilFaultsAreUsed();
        shop.clock.advance(minuteMs);
        await shop.jobs.sweepPayments();
        for (const [number, order] of orders.entries())
          expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', ...(paid.has(number) ? ['PAID'] : [])]);
      }),
      { seed, numRuns: 5, endOnFailure: true },
    );
  });

  async function take(taken: Step, orders: { sessionId: string }[]): Promise<void> {
    if (taken.kind === 'pay') await shop.control('pay', { session: orders[taken.order]?.sessionId });
    if (taken.kind === 'deliveries') await shop.control('deliveries', { mode: taken.mode });
    if (taken.kind === 'fault') await shop.control('fault', { kind: taken.fault, next: taken.next, on: list });
    if (taken.kind === 'processes') await Promise.all([shop.jobs.sweepPayments(), shop.jobs.sweepPayments()]);
    if (taken.kind !== 'minute') return;
    shop.clock.advance(minuteMs);
    await shop.jobs.sweepPayments();
  }

  /** The list works again: unused faults ordered for it are used up by other calls. */
  const untilFaultsAreUsed = () =>
    until(async () => {
      for await (const page of shop.payments.listEvents(shop.clock.now())) expect(page).toBeDefined();
    });
});
