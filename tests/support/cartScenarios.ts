/** One success and every error of the cart and of placing an order, for the contract test. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { products } from '../../src/server/db/schema/tables';
import { defaultSettings } from '../../src/shared/settings';
import type { Scenarios } from './accountScenarios';
import { delivery, endUnpaid, fillCart, placeOrder } from './buying';
import type { Answer } from './caller';
import { makeCode, offerDelivery, quote } from './selling';
import type { NewProduct, Person, TestShop } from './shop';

const own = (person: Person) => ({ userId: person.userId });

export function cartScenarios(shop: () => TestShop): Scenarios {
  const some = () => shop().signIn();
  const add = (person: Person, productId: string, quantity = 1) =>
    shop().call('addCartItem', { as: person, path: own(person), body: { productId, quantity } });
  /** A customer with one line in the cart. */
  async function withLine(product: NewProduct = {}, quantity = 1) {
    const person = await some();
    const stocked = await shop().stock(product);
    const added = await add(person, stocked.id, quantity);
    return { person, product: stocked, line: added.data.cartResponse.cartItems[0]?.id ?? '' };
  }
  const change = (productId: string, set: Partial<typeof products.$inferInsert>) =>
    shop().db.update(products).set(set).where(eq(products.id, productId));
  const update = (person: Person, body: object) => shop().call('updateCartItem', { as: person, body });
  const orderBy = (person: Person) => placeOrder(shop(), person);

  type Use = (person: Person, discountCode: string) => Promise<Answer<'placeOrder'> | Answer<'quoteOrder'>>;
  /** Every reason to reject a discount code, for each call that uses one. */
  const codeErrors = (tryCode: Use) => {
    const refused = (code: Parameters<typeof makeCode>[1]) => async () =>
      tryCode((await withLine()).person, await makeCode(shop(), code));
    const hourMs = 3_600_000;
    const at = (hours: number) => new Date(shop().clock.now().getTime() + hours * hourMs);
    return {
      discount_unknown: async () => tryCode((await withLine()).person, 'NEVER-MADE'),
      discount_ended: async () => refused({ endsAt: at(-1) })(),
      discount_not_yet: async () => refused({ startsAt: at(1) })(),
      discount_minimum: async () => refused({ minimumCents: 100_000 })(),
      discount_used_up: async () => refused({ maxUses: 0 })(),
      discount_used_before: async () => refused({ maxUsesPerCustomer: 0 })(),
      discount_not_for_these: async () => refused({ categoryIds: [randomUUID()] })(),
      too_many_attempts: async () => {
        const { person } = await withLine();
        for (let each = 0; each < 20; each++) await tryCode(person, `WRONG-${each}`);
        return tryCode(person, 'WRONG-20');
      },
    };
  };

  return {
    quoteOrder: {
      success: async () => quote(shop(), (await withLine()).person, { deliveryAddress: { state: 'GA' } }),
      cart_not_found: async () => quote(shop(), { ...(await withLine()).person, cartId: randomUUID() }),
      cart_empty: async () => quote(shop(), await some()),
      total_too_small: async () => quote(shop(), (await withLine({ priceCents: 49 })).person),
      total_too_large: async () => quote(shop(), (await withLine({ priceCents: 9_999_999, quantity: 99 }, 99)).person),
      ...codeErrors((person, discountCode) => quote(shop(), person, { discountCode })),
    },
    getCart: {
      success: async () => ((person) => shop().call('getCart', { as: person, path: own(person) }))(await some()),
    },
    addCartItem: {
      success: async () => add(await some(), (await shop().stock()).id),
      product_not_found: async () => add(await some(), randomUUID()),
      product_unavailable: async () => add(await some(), (await shop().stock({ availability: false })).id),
      not_enough_stock: async () => add(await some(), (await shop().stock({ quantity: 2 })).id, 3),
      too_many_units: async () => {
        const { person, product } = await withLine({ quantity: 200 }, 99);
        return add(person, product.id);
      },
    },
    updateCartItem: {
      success: async () => {
        const { person, line } = await withLine();
        return update(person, { cartItemId: line, quantity: 3 });
      },
      cart_item_not_found: async () => update(await some(), { cartItemId: randomUUID(), quantity: 1 }),
      product_not_found: async () => update(await some(), { productId: randomUUID(), change: 1 }),
      product_unavailable: async () => {
        const { person, product, line } = await withLine();
        await change(product.id, { archivedAt: shop().clock.now() });
        return update(person, { cartItemId: line, quantity: 1 });
      },
      not_enough_stock: async () => {
        const { person, product } = await withLine({ quantity: 2 });
        return update(person, { productId: product.id, change: 2 });
      },
      too_many_units: async () => {
        const { person, product } = await withLine({ quantity: 200 }, 99);
        return update(person, { productId: product.id, change: 1 });
      },
    },
    removeCartItem: {
      success: async () => {
        const { person, line } = await withLine();
        return shop().call('removeCartItem', { as: person, path: { ...own(person), cartItemId: line } });
      },
      cart_item_not_found: async () =>
        ((person) => shop().call('removeCartItem', { as: person, path: { ...own(person), cartItemId: randomUUID() } }))(
          await some(),
        ),
    },
    clearCart: {
      success: async () => {
        const { person } = await withLine();
        return shop().call('clearCart', { as: person, path: own(person) });
      },
    },
    placeOrder: {
      success: async () => orderBy((await withLine()).person),
      customer_required: async () => placeOrder(shop(), (await withLine()).person, { ...delivery, customer: '' }),
      address_required: async () => placeOrder(shop(), (await withLine()).person, { customer: 'Ana' }),
      cart_not_found: async () => {
        const { person } = await withLine();
        return placeOrder(shop(), { ...person, cartId: randomUUID() });
      },
      cart_empty: async () => orderBy(await some()),
      line_unavailable: async () => {
        const { person, product } = await withLine();
        await change(product.id, { availability: false });
        return orderBy(person);
      },
      not_enough_stock: async () => {
        const { person, product } = await withLine({ quantity: 5 }, 4);
        const { person: other } = await withLine();
        await add(other, product.id, 3);
        await orderBy(other);
        return orderBy(person);
      },
      price_changed: async () => {
        const { person, product } = await withLine();
        await change(product.id, { priceCents: 1 });
        return orderBy(person);
      },
      too_many_for_new_customer: async () => {
        const { person } = await withLine({}, 2);
        const owner = await shop().signIn({ role: 'ROLE_OWNER' });
        const save = (body: object) => shop().call('updateSettings', { as: owner, body });
        await save({ ...defaultSettings, newCustomerUnits: 1 });
        const refused = await orderBy(person);
        await save(defaultSettings);
        return refused;
      },
      order_again_later: async () => {
        const { person } = await withLine();
        await orderBy(person);
        await endUnpaid(shop(), person, 1);
        return orderBy(person);
      },
      too_many_lines: async () => {
        const person = await some();
        await fillCart(shop(), person, 101);
        return orderBy(person);
      },
      total_changed: async () => placeOrder(shop(), (await withLine()).person, { ...delivery, expectedTotal: 1 }),
      no_delivery: async () => {
        const { person } = await withLine();
        const method = await offerDelivery(shop(), { states: ['HI'] });
        const refused = await orderBy(person);
        await shop().pool.query('delete from delivery_methods where id = $1', [method]);
        return refused;
      },
      ...codeErrors((person, discountCode) => placeOrder(shop(), person, { ...delivery, discountCode })),
      total_too_small: async () => orderBy((await withLine({ priceCents: 49 })).person),
      total_too_large: async () => orderBy((await withLine({ priceCents: 9_999_999, quantity: 99 }, 99)).person),
      payment_unavailable: async () => {
        const { person } = await withLine();
        await shop().control('fault', { next: 1, kind: '500' });
        return orderBy(person);
      },
    },
  };
}
