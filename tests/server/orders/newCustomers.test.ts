/** How much customers who never paid an order may reserve. Rule: docs/rules/orders-and-payment.md, New customers */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../src/shared/settings';
import {
  buy,
  checkBooks,
  delivery,
  placedOrder,
  placeOrder,
  putInCart,
  quantityOf,
  shopperWith,
  statusOf,
} from '../../support/buying';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let ofThisMachine: TestShop;
beforeAll(async () => {
  const opened = await openOwnShop();
  ofThisMachine = opened;
  shop = { ...opened, call: opened.callFrom('203.0.113.7') };
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const providerHas = async (sessionId: string) => (await shop.payments.findSession(sessionId))?.status;

describe('a customer who never paid an order here', () => {
  const limit = async (newCustomerUnits: number) =>
    shop.call('updateSettings', {
      as: await shop.signIn({ role: 'ROLE_OWNER' }),
      body: { ...defaultSettings, newCustomerUnits },
    });
  afterEach(() => limit(99));

  test('holds at most as many units of one product as the owner has set, and the error names the product', async () => {
    const [cumin, saffron] = [await shop.stock({ name: 'Cumin' }), await shop.stock({ name: 'Saffron' })];
    const ana = await shopperWith(shop, 2, cumin);
    await putInCart(shop, ana, saffron.id, 3); // the cart may hold more
    await limit(2);
    expect(await placeOrder(shop, ana)).toMatchObject({
      status: 409,
      code: 'too_many_for_new_customer',
      message:
        "Until you've paid for your first order, you can buy up to 2 of Saffron. Change the quantity in your cart.",
    });
    expect(await quantityOf(shop, saffron.id)).toBe(10);
    await limit(3);
    expect((await placeOrder(shop, ana)).status).toBe(201);
  });

  test('can hold all stock where all customers share this machine’s address, as behind a proxy', async () => {
    const saffron = await shop.stock({ quantity: 20 });
    const [ana, ben] = [await shopperWith(shop, 12, saffron), await shopperWith(shop, 8, saffron)];
    for (const person of [ana, ben]) expect((await placeOrder(ofThisMachine, person)).status).toBe(201);
  });

  test('holds with others of the network at most half of a product, and 5 units in any case', async () => {
    const [saffron, rare] = [await shop.stock({ name: 'Saffron', quantity: 20 }), await shop.stock({ quantity: 6 })];
    const ana = await shopperWith(shop, 11, saffron);
    const code = 'too_many_for_new_customer';
    expect(await placeOrder(shop, ana)).toMatchObject({
      status: 409,
      code,
      message: 'Right now you can order up to 10 of Saffron. Change it in your cart, or try again in a few minutes.',
    });
    expect(await quantityOf(shop, saffron.id)).toBe(20);
    const ben = await shopperWith(shop, 7, saffron);
    expect((await placeOrder(shop, ben)).status).toBe(201);
    expect((await placeOrder(shop, ben)).status).toBe(201); // the same order holds nothing more
    expect(await placeOrder(shop, ana)).toMatchObject({
      code,
      message: expect.stringContaining('up to 3 of Saffron'),
    });
    expect((await placeOrder(shop, await shopperWith(shop, 3, saffron))).status).toBe(201);
    expect(await placeOrder(shop, await shopperWith(shop, 1, saffron))).toMatchObject({
      code,
      message:
        'Saffron is reserved by other new customers right now. Try again in a few minutes, or remove it from your cart.',
    });
    expect(await quantityOf(shop, saffron.id)).toBe(10);
    expect((await placeOrder(shop, await shopperWith(shop, 5, rare))).status).toBe(201);
  });

  test('takes the last units of at most 5 products', async () => {
    const single = async () => shop.stock({ quantity: 1 });
    const ana = await shopperWith(shop, 1, await single());
    for (let each = 2; each <= 6; each++) await putInCart(shop, ana, (await single()).id);
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'too_many_for_new_customer' });
    const ben = await shopperWith(shop, 1, await single());
    for (let each = 2; each <= 5; each++) await putInCart(shop, ben, (await single()).id);
    expect((await placeOrder(shop, ben)).status).toBe(201);
  });

  test('orders like everyone where the owner turned these limits off', async () => {
    const saffron = await shop.stock({ quantity: 20 });
    const ana = await shopperWith(shop, 15, saffron);
    const save = async (newCustomerLimits: boolean) =>
      shop.call('updateSettings', {
        as: await shop.signIn({ role: 'ROLE_OWNER' }),
        body: { ...defaultSettings, newCustomerLimits },
      });
    await save(false);
    const placed = await placeOrder(shop, ana);
    await save(true);
    expect(placed.status).toBe(201);
  });

  test('may order as much as others once an order is paid', async () => {
    const ana = await shopperWith(shop, 1, await shop.stock());
    await limit(1);
    await buy(shop, await placedOrder(shop, ana));
    await putInCart(shop, ana, (await shop.stock()).id, 9);
    expect((await placeOrder(shop, ana)).status).toBe(201);
  });

  test('keeps an order from before the limit, and does not lose it to a rejected one', async () => {
    const ana = await shopperWith(shop, 3, await shop.stock());
    const open = await placedOrder(shop, ana);
    await limit(2);
    expect((await placeOrder(shop, ana)).data.orderId).toBe(open.orderId);
    const refused = await placeOrder(shop, ana, { ...delivery, customer: 'Another' });
    expect(refused).toMatchObject({ status: 409, code: 'too_many_for_new_customer' });
    expect(await statusOf(shop, open.orderId)).toBe('PENDING_PAYMENT');
    expect(await providerHas(open.sessionId)).toBe('open');
  });
});
