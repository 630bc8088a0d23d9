/**
 * DATABASE_REPLICA_URL. The replica is a second database with other names in it, which catches up with the shop when
 * told to.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { factsChanged } from '../../../src/server/db/core/changes';
import { TooManyWaiting } from '../../../src/server/db/core/errors';
import { openPool } from '../../../src/server/db/open';
import { openReplica, type Replica } from '../../../src/server/db/replica';
import { connect, transact } from '../../../src/server/db/core/transact';
import { moveStock } from '../../support/catalog';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let copy: TestShop;
let isBehind = false;
let isDead = false;
let asked = 0;
let isFull = false;
let reconnected = () => {};

const nobody = connect(openPool({ host: '127.0.0.1', port: 1 }));
const full = connect(
  Object.assign(openPool({ host: '127.0.0.1', port: 1 }), { query: () => Promise.reject(new TooManyWaiting()) }),
);
const replica: Replica = {
  get db() {
    asked++;
    if (isFull) return full;
    return isDead ? nobody : copy.db;
  },
  async hasReplayed() {
    if (isDead) throw new Error('the replica is dead');
    return !isBehind;
  },
  onConnected(step) {
    reconnected = step;
  },
};

beforeAll(async () => {
  copy = await openOwnShop();
  shop = await openOwnShop({ replica });
  await stock('grains');
});
afterAll(async () => {
  await shop.close();
  await copy.close();
});

beforeEach(async () => {
  isBehind = isDead = false;
  await expect.poll(() => shop.bus.connected).toBe(true);
  await shop.untilTold();
  await expect.poll(() => searched('grains')).toBe('grains of the replica');
});

/** In both, under different names. */
async function stock(name: string) {
  const category = await shop.category();
  const product = await shop.stock({ name: `${name} of the database`, categoryId: category.id });
  const { id: categoryId } = await copy.category({ name: category.name });
  await copy.stock({ id: product.id, name: `${name} of the replica`, categoryId });
  await shop.untilTold();
  return { id: product.id, category: category.name };
}

let asking = 0;
/** By pages of another size each time, so that no response is cached. */
const search = (q: string) => shop.call('searchProducts', { query: { q, size: 10 + (asking++ % 90) } });
const searched = async (q: string) => (await search(q)).data.products.content[0]?.name;
const nameOf = async (id: string) => (await shop.call('getProduct', { path: { id } })).data.product.name;
const listed = async (categoryName: string) =>
  (await shop.call('listProductsByCategory', { path: { categoryName } })).data.products.content[0]?.name;

test('a search, and each list and product that is not cached, is read from the replica', async () => {
  const { id, category } = await stock('seeds');
  await expect.poll(() => searched('seeds')).toBe('seeds of the replica');
  expect(await nameOf(id)).toBe('seeds of the replica');
  expect(await listed(category)).toBe('seeds of the replica');
});

test('a changed product is read from the database until the replica has the change, and only that one', async () => {
  const [changed, other] = [await stock('bark'), await stock('pods')];
  await expect.poll(() => searched('bark')).toBe('bark of the replica');
  await expect.poll(() => searched('pods')).toBe('pods of the replica');
  isBehind = true;
  await moveStock(shop.db, changed.id, -3);
  expect(await nameOf(changed.id)).toBe('bark of the database');
  expect(await listed(changed.category)).toBe('bark of the database');
  expect(await searched('bark')).toBe('bark of the database');
  expect(await nameOf(other.id)).toBe('pods of the replica');
  await transact(shop.db, async (tx) => factsChanged(tx)); // of no product
  expect(await nameOf(other.id)).toBe('pods of the database');
  expect(await searched('grains')).toBe('grains of the database');
});

test('a change during a replica read causes a second read, from the database', async () => {
  const { id } = await stock('roots');
  await expect.poll(() => searched('roots')).toBe('roots of the replica');
  const client = await copy.pool.connect();
  await client.query('begin; lock table products');
  const before = asked;
  const reading = nameOf(id);
  await expect.poll(() => asked).toBe(before + 1);
  isBehind = true;
  await moveStock(shop.db, id, -3);
  await client.query('commit');
  client.release();
  expect(await reading).toBe('roots of the database');
});

test('a dead replica costs one attempt, and the database answers until it is back', async () => {
  isDead = true;
  const before = asked;
  for (let turn = 0; turn < 3; turn++) expect(await searched('grains')).toBe('grains of the database');
  expect(asked).toBe(before + 1);
  isDead = false;
  await expect.poll(() => searched('grains')).toBe('grains of the replica');
});

test('another replica at the same address is used once it has caught up', async () => {
  isBehind = true;
  reconnected();
  expect(await searched('grains')).toBe('grains of the database');
  isBehind = false;
  await expect.poll(() => searched('grains')).toBe('grains of the replica');
});

test('while change notifications are lost, nothing is read from the replica', async () => {
  await shop.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`,
  );
  await expect.poll(() => shop.bus.connected).toBe(false);
  const before = asked;
  expect(await searched('grains')).toBe('grains of the database');
  expect(asked).toBe(before);
});

test('while too many wait for the replica, visitors get a 429 and do not overload the database', async () => {
  const ana = await shop.signIn();
  isFull = true;
  const answers = [await search('grains'), await shop.call('getCart', { as: ana, path: { userId: ana.userId } })];
  isFull = false;
  expect(answers.map(({ status }) => status)).toEqual([503, 200]);
  expect(await searched('grains')).toBe('grains of the replica');
});

test('carts, orders, sessions and accounts are never read from it', async () => {
  const { id } = await stock('leaves');
  const ana = await shop.signIn();
  const { userId } = ana;
  const asAna = { as: ana, path: { userId } };
  const customer = 'Ana Example';
  const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const before = asked;
  const added = await shop.call('addCartItem', { ...asAna, body: { productId: id, quantity: 1 } });
  const cart = await shop.call('getCart', asAna);
  const path = { userId, cartId: ana.cartId };
  const placed = await shop.call('placeOrder', { as: ana, path, body: { customer, deliveryAddress } });
  const { orderId } = placed.data;
  const others = [
    await shop.call('getOrder', { as: ana, path: { orderId } }),
    await shop.call('listCustomerOrders', asAna),
    await shop.call('listSessions', asAna),
    await shop.call('getUser', asAna),
  ];
  expect([added, cart, placed, ...others].map(({ status }) => status)).toEqual([200, 200, 201, 200, 200, 200, 200]);
  expect(asked).toBe(before);
});

test('a database that is no replica has replayed nothing, and the log says so at the start', async () => {
  const { host = '', port, user, database, connectionString } = copy.direct;
  const url = connectionString ?? `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
  const { replica, findTrouble, close } = openReplica(url, 'named');
  expect(await replica.hasReplayed('0/0')).toBe(false);
  expect(await findTrouble()).toBe("DATABASE_REPLICA_URL: this server isn't a replica right now");
  await close();
});
