import { type ClientRequest, get } from 'node:http';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { accessToken, renewToken } from '../../../src/web/server/accessToken';
import { outbox } from '../../../src/web/outbox/outbox';
import { users } from '../../../src/server/db/schema/tables';
import { buy, delivery, openOrder } from '../../support/buying';
import { logIn, newCustomer, openAccount, type SignedIn } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { findSavedOrders } from '../../../src/web/orders/onDevice';
import { miss, openTab, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab | undefined;
const streams = new Set<BrowserStream>();

/** Replaces a browser API missing in this window: reads the shop's stream over HTTP, with the tab's cookies. */
class BrowserStream extends EventTarget {
  readonly request: ClientRequest;
  hasBegun = false;

  constructor(path: string) {
    super();
    streams.add(this);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    this.request = get(`${shop.url}${path}`, { headers: { cookie } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.tell(block);
      });
      response.on('error', () => undefined).on('close', () => this.fail());
    }).on('error', () => this.fail());
  }

  tell(block: string): void {
    const name = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    this.hasBegun ||= name === 'hello';
    if (name) this.dispatchEvent(Object.assign(new Event(name), { data }));
  }

  fail(): void {
    if (streams.has(this)) this.dispatchEvent(new Event('error'));
  }

  close(): void {
    streams.delete(this);
    this.request.destroy();
  }
}

let cookies: ReadonlyMap<string, string> = new Map();
beforeAll(async () => {
  shop = await openShop();
  vi.stubGlobal('EventSource', BrowserStream);
});
afterEach(() => {
  tab?.close();
  tab = undefined;
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await shop.close();
});

/** One that the server has begun: it reports no earlier change. */
const hasStream = () => streams.size === 1 && [...streams].every(({ hasBegun }) => hasBegun);

async function openCart(ana: SignedIn): Promise<Tab> {
  const opened = openTab(shop, '/cart', { as: ana });
  ({ cookies } = opened);
  await see('Cart is Empty');
  await until(hasStream);
  return opened;
}

const addElsewhere = async ({ jwt, user }: SignedIn, name: string) => {
  const { id: productId } = await shop.stock({ name });
  const headers = { authorization: `Bearer ${jwt}` };
  await shop.call('addCartItem', { path: { userId: user.id }, headers, body: { productId, quantity: 1 } });
};

/** Hides the tab for longer than a shopper's tab keeps listening. @returns a function that shows it again */
function putAway(): () => void {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  vi.advanceTimersByTime(31_000);
  vi.useRealTimers();
  return () => {
    visibility.mockRestore();
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  };
}

test('changes sent from here are refetched once, after all of them, though each is announced here too', async () => {
  const ana = await newCustomer(shop);
  tab = await openCart(ana);
  const stocked = await Promise.all(Array.from({ length: 20 }, (_, place) => shop.stock({ name: `Spice ${place}` })));
  const { calls } = tab;
  const { id: userId } = ana.user;
  await tab.setDown(true);
  for (const { id: productId } of stocked)
    void outbox.send('addCartItem', { userId, item: { productId, quantity: 1 } });
  await see('20 waiting to sync');
  const [before, began] = [calls.length, Date.now()];
  await tab.setDown(false);
  await until(() => calls.filter(({ path }) => path.includes('/cart/add/')).length >= stocked.length);
  await outbox.flush();
  await until(() => tab?.cache.isFetching() === 0);
  const reads = calls.slice(before).filter(({ method, path }) => method === 'GET' && path.includes('/public/cart/'));
  // each of twenty changes was read twice; now at most one a second
  expect(reads.length).toBeLessThanOrEqual(8 + (Date.now() - began) / 1000);
  for (const { name } of stocked) await see(name);
});

test('an order that changes elsewhere is saved again for a visit without a connection', async () => {
  const ana = await newCustomer(shop);
  tab = await openCart(ana);
  await addElsewhere(ana, 'Pepper');
  const headers = { authorization: `Bearer ${ana.jwt}` };
  const { data } = await shop.call('getCart', { path: { userId: ana.user.id }, headers });
  const { cartId } = data.cartResponse;
  await shop.call('placeOrder', { path: { userId: ana.user.id, cartId }, headers, body: delivery });
  await expect.poll(async () => (await findSavedOrders(ana.user.id, 1))?.content.length).toBe(1);
});

test('orders that changed without a listener are saved again once there is one', async () => {
  const ana = await newCustomer(shop);
  tab = await openCart(ana);
  await expect.poll(async () => (await findSavedOrders(ana.user.id, 1))?.content).toEqual([]);
  const lookAgain = putAway();
  expect(streams.size).toBe(0);
  await addElsewhere(ana, 'Pepper');
  const headers = { authorization: `Bearer ${ana.jwt}` };
  const { data } = await shop.call('getCart', { path: { userId: ana.user.id }, headers });
  const { cartId } = data.cartResponse;
  await shop.call('placeOrder', { path: { userId: ana.user.id, cartId }, headers, body: delivery });
  lookAgain();
  await expect.poll(async () => (await findSavedOrders(ana.user.id, 1))?.content.length).toBe(1);
});

test('a change during a page’s first read is seen too', async () => {
  const ana = await newCustomer(shop);
  tab = openTab(shop, '/cart', { as: ana });
  ({ cookies } = tab);
  let answerIt = () => undefined as void;
  const answered = new Promise<void>((resolve) => (answerIt = resolve));
  let isAsked = false;
  tab.network.delays = ({ url }) => {
    if (isAsked || !url.includes('/public/cart/')) return undefined;
    isAsked = true;
    return answered; // what the cart was then
  };
  await until(() => isAsked && hasStream());
  const [stream] = streams;
  const heard = new Promise((resolve) => stream?.addEventListener('cart', resolve));
  await addElsewhere(ana, 'Long pepper');
  await heard;
  answerIt();
  await see('Long pepper');
});

test('a broken stream is reopened, and what it missed is read', async () => {
  const ana = await newCustomer(shop);
  tab = await openCart(ana);
  const [stream] = streams;
  await until(() => tab?.calls.some(({ path }) => path.startsWith('/public/cart/')) ?? false);
  stream?.request.destroy();
  await addElsewhere(ana, 'Salt');
  await see('Salt');
  expect(streams.size).toBe(1);
});

test('a stream that began before a call got a new token is reopened with that one', async () => {
  const { calls } = (tab = await openCart(await newCustomer(shop)));
  const renewals = () => calls.filter(({ path }) => path === '/auth/refresh-token').length;
  const [stream] = streams;
  expect(await renewToken(accessToken.get())).toBe(true);
  const before = renewals(); // the page itself may have sent requests as well
  stream?.tell('event: hello\ndata: {"userId":null}');
  await until(() => streams.size === 1 && (!stream || !streams.has(stream)));
  expect(renewals()).toBe(before);
});

test('a tab hidden for long stops listening, and refetches when it is back', async () => {
  const ana = await newCustomer(shop);
  tab = await openCart(ana);
  const lookAgain = putAway();
  expect(streams.size).toBe(0);
  await addElsewhere(ana, 'Sumac');
  lookAgain();
  await see('Sumac');
});

const openBackOffice = async () => {
  const account = await openAccount(shop);
  await shop.db.update(users).set({ role: 'ROLE_ADMIN' }).where(eq(users.id, account.id));
  const opened = openTab(shop, '/ordered/products', { as: await logIn(shop, account) });
  ({ cookies } = opened);
  await see('Export CSV');
  await miss('Loading Orders'); // it listens once it is rendered
  await until(hasStream);
  return opened;
};

test('a hidden back office still receives a new order', async () => {
  tab = await openBackOffice();
  const lookAgain = putAway();
  expect(streams.size).toBe(1);
  const [stream] = streams;
  stream?.fail(); // and reconnects when the connection breaks
  await until(() => hasStream() && !streams.has(stream as BrowserStream));
  const order = await openOrder(shop);
  await buy(shop, order);
  await see(`New order #${order.orderNumber}, $4.50`);
  lookAgain();
  expect(streams.size).toBe(1);
});

test('of several hidden back offices only one keeps listening', async () => {
  tab = await openBackOffice();
  const isHeldElsewhere = { request: () => new Promise(() => undefined) };
  Object.defineProperty(navigator, 'locks', { value: isHeldElsewhere, configurable: true });
  const lookAgain = putAway();
  expect(streams.size).toBe(0);
  lookAgain();
  await until(() => streams.size === 1);
  Reflect.deleteProperty(navigator, 'locks');
});
