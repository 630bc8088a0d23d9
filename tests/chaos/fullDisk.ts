/**
 * The full disk: the shop's whole DATA_DIR is on a small disk in memory, which is then filled to the last byte while
 * people buy and read. Writes get 507 or 503, reads go on, nothing confirmed is lost, and everything works again
 * once there is room. Needs root, on Linux. Rule: docs/rules/failures.md, Crashes and storage
 */
import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Buyer } from '../bench/buyers';
import type { Market } from './market';

export type FullDiskTotals = {
  /** Answers while the disk was full, counted by status. */
  writes: Record<string, number>;
  reads: Record<string, number>;
  /** Milliseconds from free space to the first order. */
  backMs: number;
  orders: number;
  wrong: string[];
};

const run = promisify(execFile);
const diskMb = 400;
const plenty = 100_000;
const backWithinMs = 10_000;
const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

/** @returns a function that unmounts the disk */
export async function mountSmallDisk(folder: string, sizeMb = diskMb): Promise<() => Promise<unknown>> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'tmpfs', folder]);
  return () => run('umount', ['-l', folder]);
}

export const growDisk = (folder: string, sizeMb: number) => run('mount', ['-o', `remount,size=${sizeMb}m`, folder]);

export async function runFullDisk(market: Market, { fullMs }: { fullMs: number }): Promise<FullDiskTotals> {
  const { products, pool, shop } = market;
  for (const { id } of products) await market.setShelf(id, plenty);
  const carts = Array.from({ length: 400 }, (_, each) => [
    { productId: products[each % products.length]?.id ?? '', quantity: 1 },
  ]);
  const buyers = await market.newBuyers(carts);
  const writes: Record<string, number> = {};
  const reads: Record<string, number> = {};
  const wrong: string[] = [];
  const confirmed: string[] = [];

  const buy = async (buyer: Buyer) => {
    const answer = await ask(shop.url, `/api/public/order/${buyer.userId}/payment/${buyer.cartId}`, buyer, {
      customer: 'Example Customer',
      deliveryAddress: address,
    });
    writes[answer.status] = (writes[answer.status] ?? 0) + 1;
    if (answer.status === 201) confirmed.push((answer.body as { data: { orderId: string } }).data.orderId);
    else if (![503, 507].includes(answer.status) || !answer.hasRetryAfter)
      wrong.push(`an order on a full disk was answered ${answer.status}`);
    return answer.status;
  };
  const read = async (buyer: Buyer) => {
    for (const pathname of [`/api/public/cart/${buyer.userId}`, '/api/public/products?page=1', '/products/savory']) {
      const { status } = await ask(shop.url, pathname, buyer);
      reads[status] = (reads[status] ?? 0) + 1;
    }
  };

  const fill = path.join(shop.dataDir, 'fill');
  await fillUp(fill);
  const endsAt = Date.now() + fullMs;
  const people = Array.from({ length: 4 }, async (_, each) => {
    for (let turn = each; Date.now() < endsAt; turn += 4) {
      const buyer = buyers[turn % buyers.length] as Buyer;
      await Promise.all([buy(buyer), read(buyer)]);
    }
  });
  await Promise.all(people);
  await rm(fill);
  const began = Date.now();
  const [late] = await market.newBuyers([[{ productId: products[0]?.id ?? '', quantity: 1 }]]);
  const buyAgain = async () => late !== undefined && (await buy(late)) === 201;
  while (!(await buyAgain()) && Date.now() - began < backWithinMs) await pause(50);
  const backMs = Date.now() - began;
  if (backMs >= backWithinMs) wrong.push('with room again nobody could buy');
  if (!writes['507'] && !writes['503']) wrong.push('the disk was never full');
  const refusedReads = Object.keys(reads).filter((status) => status !== '200');
  if (refusedReads.length > 0) wrong.push(`reads were answered ${refusedReads.join(', ')}`);
  const { rows } = await pool.query<{ id: string }>('select id from orders');
  const there = new Set(rows.map(({ id }) => id));
  for (const id of confirmed) if (!there.has(id)) wrong.push(`lost: order ${id}`);
  wrong.push(...(await market.check()).wrong);
  return { writes, reads, backMs, orders: rows.length, wrong };
}

async function fillUp(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (let length = 1024 * 1024; length >= 1; length = Math.floor(length / 2))
      for (
        const block = Buffer.alloc(length);
        (await handle.write(block).catch(() => ({ bytesWritten: 0 }))).bytesWritten > 0;
      );
  } finally {
    await handle.close();
  }
}

async function ask(url: string, pathname: string, { token }: Buyer, body?: object) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url + pathname, { headers, ...sent, signal: AbortSignal.timeout(20_000) });
  const isJson = answer.headers.get('content-type')?.includes('json');
  const content: unknown = isJson ? await answer.json() : await answer.text();
  return { status: answer.status, hasRetryAfter: answer.headers.has('retry-after'), body: content };
}
