import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import type { Schema } from '../../../src/shared/contract';
import { createRandom } from '../../chaos/random';
import { isNightly } from '../../support/nightly';
import { logSeed, seed } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { randomOrder, type Shelf, type SoldOrder, writeOrders } from '../../support/soldOrders';

/** The shop's figures are sums in the database; the expected ones come from the orders, one by one, in cents. */
const howMany = isNightly ? 1_500 : 200;
const periods = isNightly ? 200 : 12;
const random = createRandom(seed);
const dayMs = 86_400_000;
const clock = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
let shop: TestShop;
let admin: Person;
let sold: SoldOrder[];
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  const { userId } = await shop.signIn();
  const { id: categoryId } = await shop.category();
  const shelf: Shelf[] = [];
  for (const priceCents of [199, 333, 450, 1_299])
    shelf.push({ productId: (await shop.stock({ categoryId, priceCents })).id, priceCents, categoryId });
  const until = shop.clock.now();
  const from = new Date(until.getTime() - 300 * dayMs);
  const made = Array.from({ length: howMany }, () => randomOrder(random, { shelf, discountIds: [], from, until }));
  sold = made.filter(({ totalCents }) => totalCents > 0);
  await writeOrders(shop.pool, sold, userId);
});
beforeEach(() => onTestFailed(logSeed));
afterAll(() => shop.close());

type Days = { from: string; to: string };
function randomDays(): Days {
  const day = () => clock.format(new Date(shop.clock.now().getTime() - random.below(340) * dayMs));
  const [from = '', to = ''] = [day(), day()].toSorted();
  return { from, to };
}

const cents = (dollars: number) => Math.round(dollars * 100);
const isIn = (at: Date, { from, to }: Days) => clock.format(at) >= from && clock.format(at) <= to;

test(`the tax of each state is the sum of its orders' taxes, less refunds on their own day: ${periods} periods`, async () => {
  for (let round = 0; round < periods; round++) {
    const days = randomDays();
    const { collected } = (await shop.call('getTaxCollected', { as: admin, query: days })).data;
    const found = collected.map(inCents);
    expect(found.toSorted(byState), `${days.from} ${days.to}`).toEqual(modelOf(days).toSorted(byState));
    for (const { state, rates, tax } of collected) {
      const orders = sold.filter((order) => order.state === state && order.taxRatePpm !== null && touches(order, days));
      expect(rates.map(toPpm)).toEqual(ratesOf(orders));
      if (rates.length === 0) expect(tax).toBe(0);
    }
  }
});

const inCents = ({ state, orders, rates: _rates, ...sums }: Schema<'TaxCollected'>) => ({
  state,
  orders,
  ...Object.fromEntries(Object.entries(sums).map(([name, dollars]) => [name, cents(dollars)])),
});
const byState = (one: { state: string }, other: { state: string }) => one.state.localeCompare(other.state);
const toPpm = (percent: number) => Math.round(percent * 10_000);
const ratesOf = (orders: readonly SoldOrder[]) =>
  [...new Set(orders.map(({ taxRatePpm }) => taxRatePpm ?? 0))].toSorted((one, other) => one - other);

const refundedTaxOf = ({ refunds }: SoldOrder, days: Days) =>
  refunds
    .filter(({ state, strayPaymentId, doneAt }) => state === 'done' && strayPaymentId === null && isIn(doneAt, days))
    .reduce((sum, { taxCents }) => sum + taxCents, 0);
const isPaidIn = ({ paidAt }: SoldOrder, days: Days) => paidAt !== null && isIn(paidAt, days);
const touches = (order: SoldOrder, days: Days) => isPaidIn(order, days) || refundedTaxOf(order, days) > 0;

function modelOf(days: Days) {
  const states = new Set(sold.filter((order) => touches(order, days)).map(({ state }) => state));
  return [...states].map((state) => {
    const ofState = sold.filter((order) => order.state === state);
    const paid = ofState.filter((order) => isPaidIn(order, days));
    const sum = (of: (order: SoldOrder) => number, orders = paid) => orders.reduce((all, order) => all + of(order), 0);
    const gross = sum(({ goodsCents, discountCents, deliveryCents }) => goodsCents - discountCents + deliveryCents);
    const taxable = sum(({ taxedCents }) => taxedCents);
    const tax = sum(({ taxCents }) => taxCents);
    const refunded = sum((order) => refundedTaxOf(order, days), ofState);
    const [orders, exempt, toRemit] = [paid.length, gross - taxable, tax - refunded];
    return { state, orders, gross, exempt, taxable, taxed: taxable, tax, refunded, toRemit };
  });
}
