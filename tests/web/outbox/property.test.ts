/**
 * Two devices, two tabs each, change one cart at random, with every fault that a network and a phone have, against the
 * real server. In the end the database holds what the rules allow, each intention once; and an outbox that is broken in
 * one of three ways is found out. OUTBOX_RUNS says how many runs (`npm run test:long` and `npm run drill` make 1,000). With DRILL_PROCESSES=2 (or
 * more) all of it is against so many processes of the built shop behind one port, of which one is killed every few seconds.
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cartItems, products } from '../../../src/server/db/schema';
import { lineId } from '../../../src/shared/cart';
import type { Schema } from '../../../src/shared/contract';
import type { Change } from '../../support/deviceLayer';
import { createRandom } from '../../drill/random';
import { isLong } from '../../support/length';
import { openShop, type TestShop } from '../../support/shop';
import { createDevice, type Device } from './devices';
import { live } from './live';
import type { Breakage, World } from './network';
import { plan, type Act, type Plan } from './plans';
import { openProcesses } from './processes';
import { type Intention, possibleCarts, written } from './rules';
import { cartSubject } from './subjects';

const runs = Number(process.env['OUTBOX_RUNS'] ?? 30);
const processes = Number(process.env['DRILL_PROCESSES'] ?? 1);
const killEveryMs = 3_000;
const atOnce = 10; // a run mostly waits

let shop: TestShop;
/** Which server the devices call. */
let served: Pick<TestShop, 'call' | 'again'>;
let several: Awaited<ReturnType<typeof openProcesses>> | undefined;
let sold: string[];
let archived: string;
beforeAll(async () => {
  shop = await openShop();
  if (processes > 1) several = await openProcesses(shop, processes, killEveryMs);
  served = { ...shop, ...several };
  sold = [(await shop.stock({ quantity: 500 })).id, (await shop.stock({ quantity: 500 })).id];
  archived = (await shop.stock()).id;
  await shop.db.update(products).set({ archivedAt: new Date() }).where(eq(products.id, archived));
});
afterAll(async () => {
  await several?.close();
  await shop.close();
});

async function play({ acts, seed }: Plan, breakage: Breakage): Promise<void> {
  const [person, other] = await Promise.all([shop.signIn(), shop.signIn()]);
  const world: World = {
    shop: served,
    person,
    other,
    subject: cartSubject,
    random: createRandom(seed).next,
    breakage,
    stragglers: [],
    wrongs: [],
  };
  const devices = [createDevice(world), createDevice(world)];
  try {
    await check(world, devices, acts);
  } finally {
    for (const device of devices) device.close();
  }
}

async function check(world: World, devices: readonly Device[], acts: Plan['acts']): Promise<void> {
  const { person, other } = world;
  await Promise.all(
    devices.map((device, index) => live(world, device, acts[index] ?? [], (act) => changeOf(act, person.userId))),
  );
  const left = await Promise.all(devices.map((device) => device.settle()));
  await Promise.all(world.stragglers);

  const intentions = devices.map((device) => device.kept().map((change) => intentionOf(change, person.userId)));
  const inDatabase = written(await unitsOf(person.cartId));
  const allowed = possibleCarts(intentions, (id) => id !== archived);
  expect(world.wrongs).toEqual([]);
  expect(allowed, JSON.stringify({ intentions, inDatabase })).toContain(inDatabase);
  expect(await unitsOf(other.cartId)).toEqual({});
  left.forEach((entries, index) => {
    const wanted = (intentions[index] ?? []).filter((each) => each.name === 'add' && each.product === archived);
    expect(
      sumOf(entries.map(({ input }) => ('item' in input ? (input.item as { quantity: number }).quantity : 0))),
    ).toBe(sumOf(wanted.map((each) => ('units' in each ? each.units : 0))));
  });
  for (const device of devices) {
    for (const cart of (await device.pages()) as Schema<'Cart'>[]) {
      expect(written(Object.fromEntries(cart.cartItems.map((line) => [line.productId, line.quantity])))).toBe(
        inDatabase,
      );
    }
  }
}

function changeOf(act: Act, userId: string): Change | undefined {
  const productId = 'product' in act ? (sold[act.product] ?? archived) : '';
  switch (act.name) {
    case 'add':
      return { operation: 'addCartItem', input: { userId, item: { productId, quantity: act.units } } };
    case 'change':
      return { operation: 'updateCartItem', input: { userId, update: { productId, change: act.units } } };
    case 'remove':
      return { operation: 'removeCartItem', input: { userId, cartItemId: lineId(userId, productId) } };
    case 'clear':
      return { operation: 'clearCart', input: { userId } };
    default:
      return undefined;
  }
}

function intentionOf(change: Change, userId: string): Intention {
  switch (change.operation) {
    case 'addCartItem':
      return { name: 'add', product: change.input.item.productId, units: change.input.item.quantity };
    case 'updateCartItem': {
      const { update } = change.input;
      if (!('change' in update)) throw new Error('not one of ours');
      return { name: 'change', product: update.productId, units: update.change };
    }
    case 'removeCartItem': {
      const { cartItemId } = change.input;
      return { name: 'remove', product: sold.find((id) => lineId(userId, id) === cartItemId) ?? archived };
    }
    default:
      return { name: 'clear' };
  }
}

async function unitsOf(cartId: string): Promise<Record<string, number>> {
  const lines = await shop.db.select().from(cartItems).where(eq(cartItems.cartId, cartId));
  return Object.fromEntries(lines.map(({ productId, quantity }) => [productId, quantity]));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** @throws when a run went wrong, at once */
async function drill(breakage: Breakage, mostRuns = runs): Promise<void> {
  const several = fc.array(plan, { minLength: atOnce, maxLength: atOnce });
  const property = fc.asyncProperty(several, async (plans) => {
    const played = await Promise.allSettled(plans.map((each) => play(each, breakage)));
    for (const result of played) if (result.status === 'rejected') throw result.reason;
  });
  await fc.assert(property, { numRuns: Math.ceil(mostRuns / atOnce), endOnFailure: true });
}

/** Many times what it takes: a busy machine is no fault. Processes that start again and again take much of it. */
const shortRuns = 10;
const inTimeMs = (runs: number, count = processes) => (60_000 + runs * 2000) * (count > 1 ? 5 : 1);
/** Two tabs must meet for some faults to show: a few in a hundred times a hundred runs are not enough. */
const runsUntilFound = Math.max(800, runs * 8);
/** It takes long to be found. */
const rareBreakages: [string, Breakage][] = isLong ? [['lets two tabs send at once', { hasNoLock: true }]] : [];

test(`${runs} times two devices lose nothing, double nothing and end equal`, () => drill({}), inTimeMs(runs));

test.each<[string, Breakage]>([
  [
    'deletes a change before its answer',
    {
      storage: (storage) => ({
        ...storage,
        async change(key, change) {
          const entry = await storage.change(key, change);
          if ('wasSent' in change) await storage.remove([key]);
          return entry;
        },
      }),
    },
  ],
  ['makes a new key for another try', { entry: (entry) => ({ ...entry, key: randomUUID() }) }],
  ...rareBreakages,
])(
  'an outbox that %s is found out',
  async (_, breakage) => {
    await expect(drill(breakage, runsUntilFound)).rejects.toThrow();
  },
  inTimeMs(runsUntilFound),
);

const testOfTwo = isLong && processes === 1 ? test : () => undefined;
testOfTwo(
  'the same holds against two processes behind one port, while one after the other is killed',
  async () => {
    const two = await openProcesses(shop, 2, killEveryMs);
    served = { ...shop, ...two };
    try {
      await drill({}, shortRuns);
    } finally {
      await two.close();
    }
    expect(two.kills()).toBeGreaterThan(0);
  },
  inTimeMs(shortRuns, 2),
);
