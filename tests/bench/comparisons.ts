/** Compares each operation of the shop, in turns, with the least program that could do the same. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { createBuyers, fillCarts, type Buyer, type Product } from './buyers';
import { inProcess, medianOf, overHttp, type Run } from './measure';
import { addCartItem, placeOrder } from './statements';

export const turns = 3;
export const reads = { connections: 64, seconds: 3 };
export const writes = { connections: 16, poolSize: 10, adds: 3_000, orders: 500 };
const cartBuyers = 400;
const warmUpShare = 5;
const asBrowsers = { 'accept-encoding': 'gzip, deflate, br' };
/** Headers that Node adds by itself, to the answers of the bare server too. */
const addedByNode = ['date', 'connection', 'keep-alive'];

export type Parts = {
  /** @returns the server's URL; the server ends with the bench */
  startServer: (args: string[]) => Promise<string>;
  url: string;
  instantUrl: string;
  pool: Pool;
  products: Product[];
  home: string;
  secret: string;
};
export type Rows = { name: string; bare: Run; shop: Run }[];

export async function measureAll(parts: Parts): Promise<Rows> {
  const product = parts.products[0]?.id ?? '';
  return [
    await measureRead(parts, 'list, page', '/products/savory'),
    await measureRead(parts, 'product, page', `/customer/view/product/${product}`),
    await measureRead(parts, 'list, API', '/api/public/products/category/savory'),
    await measureRead(parts, 'product, API', `/api/public/products/${product}`),
    await measureAdding(parts),
    ...(await measureOrdering(parts)),
  ];
}

async function measureRead({ url, home, startServer }: Parts, name: string, address: string) {
  const file = path.join(home, 'answer.json');
  await writeFile(file, JSON.stringify(await readAnswer(`${url}${address}`)));
  const bareUrl = `${await startServer(['tests/bench/bareServer.mjs', file])}${address}`;
  await requireSame(`${url}${address}`, bareUrl);
  const { connections, seconds } = reads;
  const [bare, shop] = await inTurns([
    (share) => overHttp(bareUrl, connections, { seconds: Math.max(1, seconds * share) }, { headers: asBrowsers }),
    (share) =>
      overHttp(`${url}${address}`, connections, { seconds: Math.max(1, seconds * share) }, { headers: asBrowsers }),
  ]);
  return { name, bare, shop };
}

async function measureAdding({ url, pool, products, secret }: Parts) {
  const buyers = await createBuyers(pool, cartBuyers * 2, secret);
  const [ofBare, ofShop] = [buyers.slice(0, cartBuyers), buyers.slice(cartBuyers)];
  const atBare = chooser(ofBare, products);
  const atShop = chooser(ofShop, products);
  const next = () => {
    const { buyer, productId } = atShop();
    const body = JSON.stringify({ productId, quantity: 1 });
    return post(buyer, `/api/public/cart/add/${buyer.userId}`, body);
  };
  const { connections, adds } = writes;
  const [bare, shop] = await inTurns([
    (share) =>
      inProcess(connections, adds * share, async () => {
        const { buyer, productId } = atBare();
        await addCartItem(pool, buyer, productId);
      }),
    (share) => overHttp(url, connections, { requests: adds * share }, { next }),
  ]);
  return { name: 'cart add (aim 1,000/s)', bare, shop };
}

/** Each order is the first one of its buyer, so no order replaces another. */
async function measureOrdering({ url, instantUrl, pool, products, secret }: Parts): Promise<Rows> {
  const { connections, orders } = writes;
  const buyers = await createBuyers(pool, orders * 3 * (turns + 1) + connections * 20, secret);
  await fillCarts(pool, buyers, products);
  const productOf = new Map(products.map((product) => [product.id, product]));
  const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const body = JSON.stringify({ customer: 'Awa Jallow', deliveryAddress });
  const take = (): Buyer => {
    const buyer = buyers.pop();
    if (!buyer) throw new Error('there are too few buyers');
    return buyer;
  };
  const next = () => {
    const buyer = take();
    return post(buyer, `/api/public/order/${buyer.userId}/payment/${buyer.cartId}`, body);
  };
  // otherwise the sweeper would ask the provider about each of them when it ends
  const forget = () => pool.query(`update payment_sessions set state = 'expired' where state = 'open'`);
  const [bare, instant, whole] = await inTurns(
    [
      (share) => inProcess(connections, orders * share, () => placeOrder(pool, take(), productOf)),
      (share) => overHttp(instantUrl, connections, { requests: orders * share }, { next }),
      (share) => overHttp(url, connections, { requests: orders * share }, { next }),
    ],
    forget,
  );
  return [
    { name: 'order, provider takes no time (aim 200/s)', bare, shop: instant },
    { name: 'order, with the test provider', bare, shop: whole },
  ];
}

type Measured = (share: number) => Promise<Run>;

/** A short run of each as a warm-up, then each in turn. */
async function inTurns<Each extends readonly Measured[]>(
  measured: readonly [...Each],
  after: () => Promise<unknown> = async () => undefined,
): Promise<{ [Index in keyof Each]: Run }> {
  for (const measure of measured) await measure(1 / warmUpShare);
  const runs: Run[][] = measured.map(() => []);
  for (let turn = 0; turn < turns; turn++)
    for (const [index, measure] of measured.entries()) {
      await after();
      runs[index]?.push(await measure(1));
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

const post = ({ token }: Buyer, address: string, body: string) => ({
  method: 'POST',
  path: address,
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  },
  body,
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
