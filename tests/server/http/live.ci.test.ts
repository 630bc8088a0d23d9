import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { eq } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { liveChanged } from '../../../src/server/db/core/changes';
import { newCustomer, refreshed } from '../../support/auth';
import { moveStock } from '../../support/catalog';
import { buy, placeOrder } from '../../support/buying';
import { listsOf } from '../../support/lists';
import { openOwnShop, type Person, type Process, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

type Event = { name: string; data: Record<string, unknown> };
type Listener = { events: Event[]; named: (name: string) => Event[]; ended: Promise<void>; leave: () => void };
const listeners: Listener[] = [];
afterEach(() => {
  for (const { leave } of listeners.splice(0)) leave();
});

/** Opens a stream over HTTP, as a page does, and waits for its hello. */
async function listen(person?: Pick<Person, 'token'>, url = shop.url): Promise<Listener> {
  const leaving = new AbortController();
  const headers = person && { authorization: `Bearer ${person.token}` };
  const answer = await fetch(`${url}/api/public/events`, { signal: leaving.signal, ...(headers && { headers }) });
  expect(answer.status).toBe(200);
  const events: Event[] = [];
  const listener: Listener = {
    events,
    named: (name) => events.filter((event) => event.name === name),
    ended: read(answer, events),
    leave: () => leaving.abort(),
  };
  listeners.push(listener);
  await expect.poll(() => events[0]?.name).toBe('hello');
  return listener;
}

async function read({ body }: Response, events: Event[]): Promise<void> {
  let text = '';
  try {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const name = /^event: (.*)$/m.exec(block)?.[1];
        if (name) events.push({ name, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null') as never });
      }
    }
  } catch {
    // left, or cut off
  }
}

const addTo = (person: Person, productId: string) =>
  shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId } });

/** A connection that receives and sends the notifications between processes. */
async function openOther() {
  const other = new Client(shop.direct);
  other.on('error', () => undefined);
  await other.connect();
  const heard: string[] = [];
  other.on('notification', ({ payload = '' }) => heard.push(payload));
  await other.query('listen live');
  return { other, heard };
}

async function openSecond(): Promise<Process & { url: string }> {
  const second = await shop.openProcess();
  const url = await second.app.listen({ port: 0, host: '127.0.0.1' });
  return { ...second, url };
}

describe('a customer with two devices', () => {
  // first in the file: no other test's payment is still being notified to a process that starts late
  test('hears of all orders as staff, at each process, and of one that was paid apart from others', async () => {
    const second = await openSecond();
    const [ana, admin] = [await shop.signIn(), await shop.signIn({ role: 'ROLE_ADMIN' })];
    const staff = [await listen(admin), await listen(await shop.signIn({ role: 'ROLE_OWNER' }), second.url)];
    const others = [await listen(ana), await listen(await shop.signIn()), await listen()];
    const heard = (isPaid: boolean) =>
      staff.map(({ named }) => named('admin-orders').some(({ data }) => data['isPaid'] === isPaid));
    await addTo(ana, (await shop.stock()).id);
    const { data } = await placeOrder(shop, ana);
    await expect.poll(() => heard(false)).toEqual([true, true]);
    expect(heard(true)).toEqual([false, false]);
    await buy(shop, { sessionId: /cs_test_\w+/.exec(data.paymentUrl)?.[0] ?? '' });
    await expect.poll(() => heard(true)).toEqual([true, true]);
    for (const { named } of staff)
      expect(named('admin-orders').flatMap((event) => event.data['paidOrderIds'])).toEqual([data.orderId]);
    expect(others.flatMap(({ named }) => named('admin-orders'))).toEqual([]);
    await second.close();
  });

  test('hears on both what one changed in the cart, and nobody else does', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    const { id } = await shop.stock();
    const [phone, laptop, bens, visitors] = await Promise.all([listen(ana), listen(ana), listen(ben), listen()]);
    expect(phone.events[0]?.data).toEqual({ build: 'none', userId: ana.userId });
    expect(visitors.events[0]?.data).toEqual({ build: 'none', userId: null });
    await addTo(ana, id);
    await expect.poll(() => laptop.named('cart').length).toBe(1);
    await expect.poll(() => phone.named('cart').length).toBe(1);
    const before = visitors.named('catalog').length;
    await addTo(ben, (await shop.stock()).id); // Ben hears of these, and visitors of the new product
    await expect.poll(() => bens.named('cart').length).toBe(1);
    await expect.poll(() => visitors.named('catalog').length).toBeGreaterThan(before);
    expect([bens.named('cart').length, visitors.named('cart').length]).toEqual([1, 0]);
  });

  test('hears of each kind of change: quantity, removal, clearing, lists, an order and its payment', async () => {
    const ana = await shop.signIn();
    const [one, other] = [await shop.stock(), await shop.stock()];
    const { data } = await addTo(ana, one.id);
    const line = data.cartResponse.cartItems[0]?.id ?? '';
    const device = await listen(ana);
    const heard = async (event: string, change: () => Promise<unknown>) => {
      const before = device.named(event).length;
      await change();
      await expect.poll(() => device.named(event).length).toBeGreaterThan(before);
    };
    const path = { userId: ana.userId };
    await heard('cart', () => shop.call('updateCartItem', { as: ana, body: { cartItemId: line, quantity: 2 } }));
    await heard('cart', () => shop.call('updateCartItem', { as: ana, body: { productId: one.id, change: 1 } }));
    await heard('cart', () => shop.call('removeCartItem', { as: ana, path: { ...path, cartItemId: line } }));
    await heard('cart', () => shop.call('clearCart', { as: ana, path }));
    const { create, set, take, order: putInOrder, rename, remove } = listsOf(() => shop);
    const listId = randomUUID();
    await heard('lists', () => create(ana, listId));
    await heard('lists', () => set(ana, listId, one.id, { add: true, par: 6 }));
    await heard('lists', () => putInOrder(ana, listId, [one.id]));
    await heard('lists', () => take(ana, listId, one.id));
    await heard('lists', () => rename(ana, listId, 'Bar'));
    await heard('lists', () => remove(ana, listId));
    await addTo(ana, other.id);
    let order = { orderId: '', paymentUrl: '' };
    await heard('orders', async () => (order = (await placeOrder(shop, ana)).data));
    const sessionId = /cs_test_\w+/.exec(order.paymentUrl)?.[0] ?? '';
    const before = device.named('cart').length;
    await heard('orders', () => buy(shop, { sessionId }));
    await expect.poll(() => device.named('cart').length).toBeGreaterThan(before);
    const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
    await heard('orders', () =>
      shop.call('updateOrderStatus', { as: admin, path: { orderId: order.orderId, status: 'DELIVERED' } }),
    );
  });

  test('hears nothing of a rejected change', async () => {
    const ana = await shop.signIn();
    const device = await listen(ana);
    const { id } = await shop.stock({ quantity: 0 });
    expect((await addTo(ana, id)).status).toBe(409);
    expect((await addTo(ana, (await shop.stock()).id)).status).toBe(200);
    await expect.poll(() => device.named('cart').length).toBeGreaterThan(0);
    expect(device.named('cart')).toHaveLength(1);
  });

  test('hears it from another process too, whose changes are announced only when committed', async () => {
    const ana = await shop.signIn();
    const { id } = await shop.stock();
    const device = await listen(ana);
    // another process, as far as this one can see: it only uses the database's channel
    const { other, heard } = await openOther();
    const names = () => device.events.map(({ name }) => name);
    await other.query(`select pg_notify('live', 'another-process cart:${ana.userId},orders:${ana.userId},odd:x,')`);
    await expect.poll(() => names().filter((name) => name !== 'catalog')).toEqual(['hello', 'cart', 'orders']);
    await addTo(ana, id);
    await expect.poll(() => heard.some((message) => message.endsWith(` cart:${ana.userId}`))).toBe(true);
    await other.end();
  });

  test('hears it whichever of two processes each device is connected to', async () => {
    const second = await openSecond();
    const ana = await shop.signIn();
    const { id } = await shop.stock();
    const [here, there] = await Promise.all([listen(ana), listen(ana, second.url)]);
    await addTo(ana, id);
    await expect.poll(() => here.named('cart').length).toBeGreaterThan(0);
    await expect.poll(() => there.named('cart').length).toBeGreaterThan(0);
    await second.close();
  });

  test('hundreds of changes reach the other processes in a few messages', async () => {
    const { other, heard } = await openOther();
    const userIds = Array.from({ length: 400 }, () => randomUUID());
    await transact(shop.db, async (tx) => userIds.forEach((userId) => liveChanged(tx, userId, 'cart')));
    const told = () => userIds.filter((userId) => heard.some((message) => message.includes(`cart:${userId}`)));
    await expect.poll(() => told().length).toBe(400);
    expect(heard.length).toBeLessThan(10);
    await other.end();
  });
});

describe('the catalog', () => {
  test("tells every listener the feed's position, and nothing of a sale from plenty", async () => {
    const ana = await shop.signIn();
    await addTo(ana, (await shop.stock({ quantity: 90 })).id);
    const [device, staff] = [await listen(), await listen(await shop.signIn({ role: 'ROLE_ADMIN' }))];
    const { id } = await shop.stock({ quantity: 40 });
    const position = async () => (await shop.call('getCatalogChanges')).data.changes.next;
    const told = () => device.named('catalog');
    const last = await position();
    await expect.poll(() => told().at(-1)?.data).toEqual({ position: last });
    const before = told().length;
    await moveStock(shop.db, id, -5);
    await shop.untilTold();
    await placeOrder(shop, ana); // staff are notified after a longer delay than others are of the catalog
    await expect.poll(() => staff.named('admin-orders').length).toBeGreaterThan(0);
    await shop.db.update(products).set({ name: 'White pepper' }).where(eq(products.id, id));
    await shop.untilTold(); // otherwise the cached response may have the earlier position
    const next = await position();
    await expect.poll(() => told().at(-1)?.data).toEqual({ position: next });
    expect(told()).toHaveLength(before + 1);
    await moveStock(shop.db, id, -30);
    await expect.poll(() => told().length).toBe(before + 2);
  });
});

describe('a stream ends', () => {
  test('with its session', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    const [gone, stays] = await Promise.all([listen(ana), listen(ben)]);
    await shop.call('logout', { as: ana });
    await gone.ended;
    await addTo(ben, (await shop.stock()).id);
    await expect.poll(() => stays.named('cart').length).toBe(1);
  });

  test('immediately when the shop closes', async () => {
    const second = await openSecond();
    const people = await Promise.all([shop.signIn(), shop.signIn()]);
    const streams = await Promise.all([
      ...people.map((person) => listen(person, second.url)),
      listen(undefined, second.url),
    ]);
    const began = performance.now();
    await second.close();
    expect(performance.now() - began).toBeLessThan(10_000); // not after the longest lifetime of a connection
    await Promise.all(streams.map(({ ended }) => ended));
  });

  test('when its client stops reading', async () => {
    const ana = await shop.signIn();
    const socket = connect({ port: Number(new URL(shop.url).port), host: '127.0.0.1' });
    let isCut = false;
    socket.on('error', () => (isCut = true)).on('close', () => (isCut = true));
    socket.write(`GET /api/public/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ana.token}\r\n\r\n`);
    await once(socket, 'data'); // it is open
    socket.pause();
    const news = () =>
      transact(shop.db, async (tx) => {
        for (let at = 0; at < 20_000; at++) liveChanged(tx, ana.userId, 'cart');
      });
    // the systems on both sides buffer some megabytes for a reader
    for (let turn = 0; turn < 40; turn++) await news();
    socket.resume();
    await expect.poll(() => isCut).toBe(true);
    socket.destroy();
  });
});

describe('how many', () => {
  test('a session may have six at a time, and a new one when one has ended', async () => {
    const ana = await shop.signIn();
    const six = await Promise.all(Array.from({ length: 6 }, () => listen(ana)));
    const refused = await shop.call('streamEvents', { as: ana });
    expect(refused).toMatchObject({ status: 429, code: 'too_many_streams' });
    expect(refused.headers['retry-after']).toBe('60');
    six[0]?.leave();
    await expect.poll(async () => (await shop.call('streamEvents', { as: ana })).status).toBe(200);
  });

  test('those whose client left before they began do not count', async () => {
    const { refreshToken } = await newCustomer(shop);
    const { jwt: token } = await refreshed(shop, refreshToken);
    const warden = new Client(shop.direct);
    await warden.connect();
    await warden.query('begin');
    await warden.query('select from session_families where id = $1 for update', [refreshToken.slice(0, 36)]);
    const left: Promise<unknown>[] = [];
    const note = ({ socket }: IncomingMessage) => left.push(once(socket, 'close'));
    shop.app.server.on('request', note);
    const readers = Array.from({ length: 6 }, () => {
      const reader = connect({ port: Number(new URL(shop.url).port), host: '127.0.0.1' });
      reader.write(`GET /api/public/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      return reader;
    });
    await expect.poll(() => left.length).toBe(6); // each waits for its session, whose row is locked
    for (const reader of readers) reader.destroy();
    await Promise.all(left);
    shop.app.server.off('request', note);
    await warden.end();
    for (let each = 0; each < 6; each++) await listen({ token });
    expect((await shop.call('streamEvents', { headers: { authorization: `Bearer ${token}` } })).status).toBe(429);
  });

  test('a user may have eight at a time, with however many sessions', async () => {
    const ana = await shop.signIn();
    const again = await Promise.all([shop.again(ana), shop.again(ana)]);
    const eight = await Promise.all(Array.from({ length: 8 }, (_, each) => listen(again[each % 2])));
    const refused = await shop.call('streamEvents', { as: ana });
    expect(refused).toMatchObject({ status: 429, code: 'too_many_streams' });
    for (const { leave } of eight) leave();
  });

  test('visitors of one address may have thirty', async () => {
    const many = await Promise.all(Array.from({ length: 30 }, () => listen()));
    const answer = await fetch(`${shop.url}/api/public/events`);
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ code: 'too_many_streams' });
    for (const { leave } of many) leave();
  });
});

test('a HEAD request has the headers, and ends', async () => {
  const ask = () => fetch(`${shop.url}/api/public/events`, { method: 'HEAD' });
  await expect.poll(async () => (await ask()).status).toBe(200); // streams of the previous test must be gone
  expect((await ask()).headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
});

test('a stream has the headers of every response, and is never cached', async () => {
  const leaving = new AbortController();
  const answer = await fetch(`${shop.url}/api/public/events`, { signal: leaving.signal });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  leaving.abort();
});
