/**
 * `npm run bench -- sweeper`: what two minutes cost with 2,000 open orders that nobody pays, in processor time of the shop
 * and of its database: whatever the shop does by itself, the sweeper of payments above all. Beside it the same without an
 * order.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { presentAims } from './aims';
import { createBuyers, fillCarts } from './buyers';
import { cpuMsOf } from './cpu';
import { inProcess } from './measure';
import { withBench } from './opened';
import { placeOrder } from './statements';

const openOrders = 2_000;
const minutes = 2;

await withBench(async ({ pool, products, secret, pids, databasePid }) => {
  const perMinute = async () => {
    const before = cpuMsOf({ pids: [pids.shop], databasePid });
    await pause(minutes * 60_000);
    return (cpuMsOf({ pids: [pids.shop], databasePid }) - before) / minutes;
  };
  const without = await perMinute();
  const buyers = await createBuyers(pool, openOrders, secret);
  await fillCarts(pool, buyers, products);
  const productOf = new Map(products.map((product) => [product.id, product]));
  let next = 0;
  await inProcess(8, openOrders, async () => {
    const buyer = buyers[next++];
    if (buyer) await placeOrder(pool, buyer, productOf);
  });
  await pause(5_000);
  const within = await perMinute();
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const row = {
    what: `a minute with ${openOrders} open orders`,
    figures: { CPU: ms(within), 'without orders': ms(without) },
    before: '5 to 7 s',
    goal: 'one list of events, no single session',
    isMet: within - without < 500,
  };
  console.log(presentAims([row]));
});
