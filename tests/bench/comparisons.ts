/** Compares each operation of the shop, in turns, with the least program that could do the same. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { lineId } from '../../src/shared/cart';
import { createBuyers, fillCarts, type Buyer, type Product } from './buyers';
import type { Measured } from './cpu';
import { inProcess, medianOf, overHttp, withCpu, type Run } from './measure';
import { addCartItem, placeOrder, updateCartItem } from './statements';

export const turns = 3;
export const reads = { connections: 64, seconds: 3 };
export const writes = { connections: 16, poolSize: 10, adds: 3_000, orders: 500 };
const cartBuyers = 400;
const warmUpShare = 5;
const asBrowsers = { 'accept-encoding': 'gzip, deflate, br' };
/** Headers that Node adds by itself, to the answers of the bare server too. */
const addedByNode = ['date', 'connection', 'keep-alive'];

export type Server = { url: string; pid: number | undefined };
export type Parts = {
  /** The server ends with the bench. */
  startServer: (args: string[]) => Promise<Server>;
  url: string;
  instantUrl: string;
  pool: Pool;
  products: Product[];
  home: string;
  secret: string;
  pids: { shop: number | undefined; instant: number | undefined };
  databasePid: number | undefined;
};
/** `before`: the rate beside the bare one, and the processor time, when these aims were set. */
export type Row = { name: string; bare: Run; shop: Run; before?: string; wanted?: Wanted };
/** Of the bare rate at least; processor time of a call, or so many times the bare one, at most. */
export type Wanted = { rate?: number; cpuMs?: number; cpuTimes?: number };
export type Rows = Row[];

/** @param word only what has it in its name */
export async function measureAll(parts: Parts, word = ''): Promise<Rows> {
  const product = parts.products[0]?.id ?? '';
  const reading = (name: string, address: string) => [name, () => measureRead(parts, name, address)] as const;
  const all: (readonly [string, () => Promise<Row | Rows>])[] = [
    reading('list, page', '/products/savory'),
    reading('product, page', `/customer/view/product/${product}`),
    reading('list, API', '/api/public/products/category/savory'),
    reading('product, API', `/api/public/products/${product}`),
    ['cart add', () => measureAdding(parts)],
    ['cart update', () => measureUpdating(parts)],
    ['order', () => measureOrdering(parts)],
  ];
  const rows: Row[] = [];
  for (const [name, measure] of all) if (name.includes(word)) rows.push(...[await measure()].flat());
  return rows;
}

async function measureRead({ url, home, startServer, pids }: Parts, name: string, address: string): Promise<Row> {
  const file = path.join(home, 'answer.json');
  await readAnswer(`${url}${address}`); // compressed when it is first asked for
  await writeFile(file, JSON.stringify(await readAnswer(`${url}${address}`)));
  const bareServer = await startServer(['tests/bench/bareServer.mjs', file]);
  await requireSame(`${url}${address}`, `${bareServer.url}${address}`);
  const { connections, seconds } = reads;
  const send = (to: string) => (share: number) =>
    overHttp(`${to}${address}`, connections, { seconds: Math.max(1, seconds * share) }, { headers: asBrowsers });
  const [bare, shop] = await inTurns([
    { measured: { pids: [bareServer.pid] }, run: send(bareServer.url) },
    { measured: { pids: [pids.shop] }, run: send(url) },
  ]);
  return { name, bare, shop, ...(name === 'list, API' && ofKeptLists) };
}

const ofKeptLists = { before: '0.29 to 0.68, CPU 3.5x', wanted: { rate: 0.7, cpuTimes: 1.8 } };

/** Whose processor time counts: the bench's own for bare SQL, the shop's for its calls, the database's for both. */
const byHand = ({ databasePid }: Parts): Measured => ({ pids: [process.pid], databasePid });
const byShop = ({ pids, databasePid }: Parts): Measured => ({ pids: [pids.shop], databasePid });

async function measureAdding(parts: Parts): Promise<Row> {
  const { url, pool, products, secret } = parts;
  const buyers = await createBuyers(pool, cartBuyers * 2, secret);
  const [ofBare, ofShop] = [buyers.slice(0, cartBuyers), buyers.slice(cartBuyers)];
  const atBare = chooser(ofBare, products);
  const atShop = chooser(ofShop, products);
  const next = () => {
    const { buyer, productId } = atShop();
    return post(buyer, `/api/public/cart/add/${buyer.userId}`, { productId, quantity: 1 });
  };
  const { connections, adds } = writes;
  const addOne = async () => {
    const { buyer, productId } = atBare();
    await addCartItem(pool, buyer, productId);
  };
  const [bare, shop] = await inTurns([
    { measured: byHand(parts), run: (share) => inProcess(connections, adds * share, addOne) },
    { measured: byShop(parts), run: (share) => overHttp(url, connections, { requests: adds * share }, { next }) },
  ]);
  return { name: 'cart add', bare, shop, before: '511/s at 16; 3.0 ms', wanted: ofCarts };
}

const ofCarts: Wanted = { rate: 0.75, cpuMs: 1.5 };

async function measureUpdating(parts: Parts): Promise<Row> {
  const { url, pool, products, secret } = parts;
  const buyers = await createBuyers(pool, cartBuyers * 2, secret);
  const productOf = (each: number) => products[each % products.length]?.id ?? '';
  await Promise.all(buyers.map((buyer, each) => addCartItem(pool, buyer, productOf(each))));
  let count = 0;
  const choose = (first: number) => {
    const each = first + (count++ % cartBuyers);
    return { buyer: buyers[each] as Buyer, productId: productOf(each), units: 1 + (count % 9) };
  };
  const next = () => {
    const { buyer, productId, units } = choose(cartBuyers);
    const change = { cartItemId: lineId(buyer.userId, productId), quantity: units };
    return { ...post(buyer, '/api/public/cart/item/update', change), method: 'PUT' };
  };
  const { connections, adds } = writes;
  const updateOne = () => {
    const { buyer, productId, units } = choose(0);
    return updateCartItem(pool, buyer, productId, units);
  };
  const [bare, shop] = await inTurns([
    { measured: byHand(parts), run: (share) => inProcess(connections, adds * share, updateOne) },
    { measured: byShop(parts), run: (share) => overHttp(url, connections, { requests: adds * share }, { next }) },
  ]);
  return { name: 'cart update', bare, shop, before: '429/s at 16; 3.6 ms', wanted: ofCarts };
}

/** Each order is the first one of its buyer, so no order replaces another. */
async function measureOrdering(parts: Parts): Promise<Rows> {
  const { url, instantUrl, pool, products, secret, pids, databasePid } = parts;
  const { connections, orders } = writes;
  const buyers = await createBuyers(pool, orders * 3 * (turns + 1) + connections * 20, secret);
  await fillCarts(pool, buyers, products);
  const productOf = new Map(products.map((product) => [product.id, product]));
  const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const take = (): Buyer => {
    const buyer = buyers.pop();
    if (!buyer) throw new Error('there are too few buyers');
    return buyer;
  };
  const next = () => {
    const buyer = take();
    const address = `/api/public/order/${buyer.userId}/payment/${buyer.cartId}`;
    return post(buyer, address, { customer: 'Awa Jallow', deliveryAddress });
  };
  // otherwise the sweeper would ask the provider about each of them when it ends
  const forget = () => pool.query(`update payment_sessions set state = 'expired' where state = 'open'`);
  const place = () => placeOrder(pool, take(), productOf);
  const send = (to: string) => (share: number) => overHttp(to, connections, { requests: orders * share }, { next });
  const [bare, instant, whole] = await inTurns(
    [
      { measured: byHand(parts), run: (share) => inProcess(connections, orders * share, place) },
      { measured: { pids: [pids.instant], databasePid }, run: send(instantUrl) },
      { measured: byShop(parts), run: send(url) },
    ],
    forget,
  );
  return [
    { name: 'order, provider takes no time', bare, shop: instant, before: '0.48', wanted: { rate: 0.7 } },
    { name: 'order, with the test provider', bare, shop: whole },
  ];
}

type Turn = { measured: Measured; run: (share: number) => Promise<Run> };

/** A short run of each as a warm-up, then each in turn. */
async function inTurns<Each extends readonly Turn[]>(
  each: readonly [...Each],
  after: () => Promise<unknown> = async () => undefined,
): Promise<{ [Index in keyof Each]: Run }> {
  for (const { run } of each) await run(1 / warmUpShare);
  const runs: Run[][] = each.map(() => []);
  for (let turn = 0; turn < turns; turn++)
    for (const [index, { measured, run }] of each.entries()) {
      await after();
      runs[index]?.push(await withCpu(measured, () => run(1)));
    }
  return runs.map(medianOf) as { [Index in keyof Each]: Run };
}

/** Cycles through the buyers, with few products each, so that carts stay small. */
function chooser(buyers: readonly Buyer[], products: readonly Product[]) {
  let count = 0;
  return () => {
    const round = Math.floor(count / buyers.length);
    const each = count++ % buyers.length;
    const product = products[(each + (round % 3)) % products.length];
    const buyer = buyers[each];
    if (!buyer || !product) throw new Error('there is nobody to buy, or nothing');
    return { buyer, productId: product.id };
  };
}

const post = ({ token }: Buyer, address: string, body: object) => ({
  method: 'POST',
  path: address,
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  },
  body: JSON.stringify(body),
});

/** The bytes on the wire, still compressed. */
async function readAnswer(url: string) {
  const [response] = (await once(get(url, { headers: asBrowsers }), 'response')) as [IncomingMessage];
  const { statusCode, rawHeaders } = response;
  const headers = rawHeaders.filter((_, index) => !addedByNode.includes(rawHeaders[index & ~1]?.toLowerCase() ?? ''));
  return { status: statusCode, headers, body: (await buffer(response)).toString('base64') };
}

async function requireSame(url: string, bareUrl: string): Promise<void> {
  const [shop, bare] = [await readAnswer(url), await readAnswer(bareUrl)];
  if (JSON.stringify(shop) !== JSON.stringify(bare)) throw new Error(`the bare server answers otherwise than ${url}`);
}
