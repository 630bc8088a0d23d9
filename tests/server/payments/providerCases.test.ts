import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orders } from '../../../src/server/db/schema/tables';
import { placeOrder, sessionsOf } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { openShop, type TestShop } from '../../support/shop';

/** A provider that responds strangely. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const kinds = isNightly
  ? ['500', '429', '409', '503', 'reset_before', 'reset_after', 'bad_json']
  : ['reset_after', 'bad_json'];
test.each(kinds)(
  'when the provider responds with %s the buyer gets the page or a plain sentence, and a retry is safe',
  async (kind) => {
    const person = await shop.signIn();
    const { id: productId } = await shop.stock({ quantity: 3 });
    await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId } });
    const next = kind === 'bad_json' ? 1 : 2; // the SDK tries twice, but not after nonsense
    await shop.control('fault', { kind, next, on: 'POST /v1/checkout/sessions' });
    const first = await placeOrder(shop, person);
    if (first.status !== 201) expect(first).toMatchObject({ status: 502, message: 'Failed to process payment' });
    const placed = await placeOrder(shop, person);
    expect(placed.status).toBe(201);
    const own = await shop.db.select().from(orders).where(eq(orders.userId, person.userId));
    expect(own).toHaveLength(1);
    const open = (await sessionsOf(shop, placed.data.orderId)).filter(({ status }) => status === 'open');
    expect(open.map(({ id }) => id).some((id) => placed.data.paymentUrl.includes(id))).toBe(true);
  },
);
