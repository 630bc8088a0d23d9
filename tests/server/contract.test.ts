import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { products } from '../../src/server/db/schema';
import { notBuiltYet } from '../../src/server/http/notBuilt';
import type { OperationId } from '../../src/shared/contract';
import { buy, placeOrder } from '../support/buying';
import { contractOperations } from '../support/contract';
import { multipart } from '../support/multipart';
import { openShop, type Answer, type Person, type TestShop } from '../support/shop';

/**
 * Every built operation: one success, and each refusal that it names. The caller in tests/support checks every answer
 * against the contract; here it is checked that none is missing.
 */
type Scenario = () => Promise<Pick<Answer<OperationId>, 'status' | 'code'>>;

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const admin = () => shop.signIn({ role: 'ROLE_ADMIN' });
const some = () => shop.signIn();
const own = (person: Person) => ({ userId: person.userId });
const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
const registration = () => ({
  fullName: 'Example Customer',
  email: `${randomUUID()}@example.com`,
  password: 'pepper and salt',
  confirmPassword: 'pepper and salt',
  ...deliveryAddress,
});
const productForm = (categoryId: string, fields: object = {}) =>
  multipart({
    name: 'Cumin',
    description: 'Whole',
    price: '4.35',
    availability: 'true',
    quantity: '5',
    category: categoryId,
    ...fields,
  });

async function registered() {
  const body = registration();
  await shop.call('register', { body });
  return body;
}
async function add(person: Person, productId: string, quantity = 1) {
  return shop.call('addCartItem', { as: person, path: own(person), body: { productId, quantity } });
}
/** A customer with one line in the cart. */
async function withLine(product: Parameters<TestShop['stock']>[0] = {}, quantity = 1) {
  const person = await some();
  const stocked = await shop.stock(product);
  const added = await add(person, stocked.id, quantity);
  return { person, product: stocked, line: added.data.cartResponse.cartItems[0]?.id ?? '' };
}
const change = (productId: string, set: Partial<typeof products.$inferInsert>) =>
  shop.db.update(products).set(set).where(eq(products.id, productId));
const update = (person: Person, body: object) => shop.call('updateCartItem', { as: person, body });
async function placed() {
  const { person } = await withLine();
  const { data } = await placeOrder(shop, person);
  return { person, ...data, sessionId: /cs_test_\w+/.exec(data.paymentUrl)?.[0] ?? '' };
}
async function paid() {
  const order = await placed();
  await buy(shop, order);
  return order;
}
const capture = ({ person, sessionId }: { person: Person; sessionId: string }) =>
  shop.call('capturePayment', {
    as: person,
    query: { session_id: sessionId, user_id: person.userId, cart_id: person.cartId },
  });
const orderBy = async (person: Person) => placeOrder(shop, person);
const wrongPasswords = async (email: string) => {
  for (let attempt = 0; attempt < 5; attempt++) await shop.call('login', { body: { email, password: 'wrong' } });
};

const scenarios: Partial<Record<OperationId, Record<string, Scenario>>> = {
  register: {
    success: () => shop.call('register', { body: registration() }),
    email_taken: async () => shop.call('register', { body: { ...registration(), email: (await registered()).email } }),
    too_many_attempts: async () => {
      await shop.pool.query(`update attempts set count = 300 where key like '%register%'`);
      const answer = await shop.call('register', { body: registration() });
      await shop.pool.query('delete from attempts');
      return answer;
    },
  },
  login: {
    success: async () => {
      const { email, password } = await registered();
      return shop.call('login', { body: { email, password } });
    },
    invalid_credentials: () => shop.call('login', { body: { email: 'nobody@example.com', password: 'wrong' } }),
    too_many_attempts: async () => {
      const { email, password } = await registered();
      await wrongPasswords(email);
      const answer = await shop.call('login', { body: { email, password } });
      await shop.pool.query('delete from attempts');
      return answer;
    },
  },
  logout: { success: async () => shop.call('logout', { as: await some() }) },
  refreshToken: {
    success: async () => {
      const { email, password } = await registered();
      const { data } = await shop.call('login', { body: { email, password } });
      return shop.call('refreshToken', { body: { refreshToken: data.authResponse.refreshToken } });
    },
    session_ended: () => shop.call('refreshToken', { body: { refreshToken: `${randomUUID()}.${'a'.repeat(43)}` } }),
  },
  getUser: { success: async () => ((person) => shop.call('getUser', { as: person, path: own(person) }))(await some()) },
  getCart: { success: async () => ((person) => shop.call('getCart', { as: person, path: own(person) }))(await some()) },
  addCartItem: {
    success: async () => add(await some(), (await shop.stock()).id),
    product_not_found: async () => add(await some(), randomUUID()),
    product_unavailable: async () => add(await some(), (await shop.stock({ availability: false })).id),
    not_enough_stock: async () => add(await some(), (await shop.stock({ quantity: 2 })).id, 3),
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
      await change(product.id, { archivedAt: shop.clock.now() });
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
      return shop.call('removeCartItem', { as: person, path: { ...own(person), cartItemId: line } });
    },
    cart_item_not_found: async () =>
      ((person) => shop.call('removeCartItem', { as: person, path: { ...own(person), cartItemId: randomUUID() } }))(
        await some(),
      ),
  },
  clearCart: {
    success: async () => {
      const { person } = await withLine();
      return shop.call('clearCart', { as: person, path: own(person) });
    },
  },
  listCategories: { success: () => shop.call('listCategories', { query: { size: 100 } }) },
  createCategory: {
    success: async () =>
      shop.call('createCategory', { as: await admin(), body: { name: 'teas', description: 'Teas' } }),
    category_name_taken: async () => {
      const { name } = await shop.category();
      return shop.call('createCategory', { as: await admin(), body: { name, description: 'Again' } });
    },
  },
  getCategory: {
    success: async () => shop.call('getCategory', { as: await admin(), path: { id: (await shop.category()).id } }),
    category_not_found: async () => shop.call('getCategory', { as: await admin(), path: { id: randomUUID() } }),
  },
  updateCategory: {
    success: async () => {
      const { id, name } = await shop.category();
      return shop.call('updateCategory', {
        as: await admin(),
        path: { id },
        body: { name, description: 'Other words' },
      });
    },
    category_not_found: async () =>
      shop.call('updateCategory', {
        as: await admin(),
        path: { id: randomUUID() },
        body: { name: 'none', description: 'x' },
      }),
    category_name_taken: async () => {
      const [{ id }, { name }] = [await shop.category(), await shop.category()];
      return shop.call('updateCategory', { as: await admin(), path: { id }, body: { name, description: 'x' } });
    },
  },
  listProducts: { success: () => shop.call('listProducts', { query: { page: 0, size: 5 } }) },
  getProduct: {
    success: async () => shop.call('getProduct', { path: { id: (await shop.stock()).id } }),
    product_not_found: () => shop.call('getProduct', { path: { id: randomUUID() } }),
  },
  listProductsByCategory: {
    success: async () => shop.call('listProductsByCategory', { path: { categoryName: (await shop.category()).name } }),
    category_not_found: () => shop.call('listProductsByCategory', { path: { categoryName: 'none' } }),
  },
  createProduct: {
    success: async () => {
      const { id } = await shop.category();
      return shop.call('createProduct', { as: await admin(), path: { categoryId: id }, ...productForm(id) });
    },
    category_not_found: async () => {
      const categoryId = randomUUID();
      return shop.call('createProduct', { as: await admin(), path: { categoryId }, ...productForm(categoryId) });
    },
  },
  updateProduct: {
    success: async () => {
      const { id, categoryId } = await shop.stock();
      return shop.call('updateProduct', { as: await admin(), path: { id }, ...productForm(categoryId) });
    },
    product_not_found: async () =>
      shop.call('updateProduct', {
        as: await admin(),
        path: { id: randomUUID() },
        ...productForm((await shop.category()).id),
      }),
    category_not_found: async () =>
      shop.call('updateProduct', {
        as: await admin(),
        path: { id: (await shop.stock()).id },
        ...productForm(randomUUID()),
      }),
    product_changed: async () => {
      const { id, categoryId } = await shop.stock();
      await change(id, { priceCents: 999 });
      return shop.call('updateProduct', {
        as: await admin(),
        path: { id },
        ...productForm(categoryId, { version: '1', quantityWas: '10' }),
      });
    },
    not_enough_stock: async () => {
      const { id, categoryId } = await shop.stock({ quantity: 3 });
      const fields = {
        name: 'Black pepper',
        description: 'Whole berries.',
        price: '4.50',
        quantity: '0',
        quantityWas: '8',
        version: '1',
      };
      return shop.call('updateProduct', { as: await admin(), path: { id }, ...productForm(categoryId, fields) });
    },
  },
  placeOrder: {
    success: async () => orderBy((await withLine()).person),
    customer_required: async () => placeOrder(shop, (await withLine()).person, { customer: '', deliveryAddress }),
    address_required: async () => placeOrder(shop, (await withLine()).person, { customer: 'Ana' }),
    cart_not_found: async () => {
      const { person } = await withLine();
      return placeOrder(shop, { ...person, cartId: randomUUID() });
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
    too_many_lines: async () => {
      const person = await some();
      const { id: categoryId } = await shop.category();
      for (let line = 0; line < 101; line++) await add(person, (await shop.stock({ categoryId })).id);
      return orderBy(person);
    },
    total_too_small: async () => orderBy((await withLine({ priceCents: 49 })).person),
    total_too_large: async () => orderBy((await withLine({ priceCents: 9_999_999, quantity: 99 }, 99)).person),
    payment_unavailable: async () => {
      const { person } = await withLine();
      await shop.control('fault', { next: 1, kind: '500' });
      return orderBy(person);
    },
  },
  listCustomerOrders: {
    success: async () =>
      ((person) => shop.call('listCustomerOrders', { as: person, path: own(person) }))((await paid()).person),
  },
  getOrder: {
    success: async () =>
      ((order) => shop.call('getOrder', { as: order.person, path: { orderId: order.orderId } }))(await paid()),
    order_not_found: async () => shop.call('getOrder', { as: await some(), path: { orderId: randomUUID() } }),
  },
  listOrders: { success: async () => shop.call('listOrders', { as: await admin(), query: { status: 'PAID' } }) },
  updateOrderStatus: {
    success: async () =>
      shop.call('updateOrderStatus', {
        as: await admin(),
        path: { orderId: (await paid()).orderId, status: 'OUT_FOR_DELIVERY' },
      }),
    order_not_found: async () =>
      shop.call('updateOrderStatus', { as: await admin(), path: { orderId: randomUUID(), status: 'DELIVERED' } }),
    illegal_status_change: async () =>
      shop.call('updateOrderStatus', {
        as: await admin(),
        path: { orderId: (await placed()).orderId, status: 'DELIVERED' },
      }),
  },
  checkPaymentStatus: {
    success: async () =>
      ((order) => shop.call('checkPaymentStatus', { as: order.person, query: { session_id: order.sessionId } }))(
        await paid(),
      ),
    missing_payment_information: async () => shop.call('checkPaymentStatus', { as: await some() }),
  },
  capturePayment: {
    success: async () => capture(await paid()),
    missing_payment_information: async () => shop.call('capturePayment', { as: await some() }),
    payment_not_found: async () => capture({ person: await some(), sessionId: 'cs_test_unknown' }),
    payment_not_completed: async () => capture(await placed()),
    payment_unavailable: async () => {
      const order = await placed();
      await shop.control('fault', { next: 2, kind: '503' });
      return capture(order);
    },
  },
  receivePaymentEvent: {
    success: () => {
      const payload = JSON.stringify({
        id: 'evt_1',
        object: 'event',
        type: 'customer.created',
        livemode: false,
        data: { object: {} },
      });
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: shop.sandboxKeys.webhookSecret });
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
      return shop.call('receivePaymentEvent', { headers, body: payload });
    },
    invalid_signature: () => shop.call('receivePaymentEvent', { body: { id: 'evt_1' } }),
  },
};

const built = [...contractOperations.values()].filter(
  ({ operationId }) => !(notBuiltYet as readonly OperationId[]).includes(operationId),
);
const named = built.flatMap(({ operationId: id, 'x-problems': problems }) =>
  ['success', ...Object.keys(problems)].map((outcome) => ({ id, outcome, status: problems[outcome] })),
);

describe('each built operation', () => {
  test.each(named)('$id: $outcome', async ({ id, outcome, status }) => {
    const scenario = scenarios[id]?.[outcome];
    if (!scenario) throw new Error(`${id} names ${outcome}, and no scenario provokes it`);
    const answer = await scenario();
    if (outcome === 'success') expect(answer.status).toBeLessThan(300);
    else expect(answer).toMatchObject({ status, code: outcome });
  });

  test('has no scenario for what the contract does not name', () => {
    const unnamed = Object.entries(scenarios).flatMap(([id, outcomes]) =>
      Object.keys(outcomes).filter((outcome) => !named.some((one) => one.id === id && one.outcome === outcome)),
    );
    expect(unnamed).toEqual([]);
  });
});

test(`${built.length} operations are built, ${notBuiltYet.length} are not: ${notBuiltYet.join(', ')}`, () => {
  expect(built.length + notBuiltYet.length).toBe(contractOperations.size);
});
