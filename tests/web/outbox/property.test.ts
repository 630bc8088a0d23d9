// @vitest-environment node
/**
 * Two devices, two tabs each, randomly change one cart, with every fault of a network and a phone, against the real
 * server. In the end the database holds what the rules allow, each intention once; nightly runs also check that an
 * outbox broken in one of three ways is detected.
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cartItems, products } from '../../../src/server/db/schema/tables';
import { lineId } from '../../../src/shared/cart';
import type { Schema } from '../../../src/shared/contract';
import type { Change } from './change';
import { createRandom } from '../../chaos/random';
import { createDevice, type Device } from './devices';
import { drillShop, forgetsSent, inTimeMs, playRuns, runs, testOfBroken, testOfTwo } from './randomRuns';
import { live } from './live';
import type { Breakage, World } from './network';
import { plan, type Act, type Plan } from './plans';
import { type Intention, possibleCarts, written } from './rules';
import { cartSubject } from './subjects';

let sold: string[];
let archived: string;
const { shop, served, playOnTwo } = drillShop(async (opened) => {
  sold = [(await opened.stock({ quantity: 500 })).id, (await opened.stock({ quantity: 500 })).id];
  archived = (await opened.stock()).id;
  await opened.db.update(products).set({ archivedAt: new Date() }).where(eq(products.id, archived));
});

async function play({ acts, seed }: Plan, breakage: Breakage): Promise<void> {
  const [person, other] = await Promise.all([shop().signIn(), shop().signIn()]);
  const world: World = {
    shop: served(),
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
  const lines = await shop().db.select().from(cartItems).where(eq(cartItems.cartId, cartId));
  return Object.fromEntries(lines.map(({ productId, quantity }) => [productId, quantity]));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

const chaosRun = (breakage: Breakage, mostRuns = runs) => playRuns(plan, (each) => play(each, breakage), mostRuns);
const eachMs = 2000;

test(
  `${runs} times two devices lose nothing, duplicate nothing and end equal`,
  () => chaosRun({}),
  inTimeMs(runs, eachMs),
);

for (const [what, breakage] of [
  ['deletes a change before its answer', forgetsSent],
  ['makes a new key for another try', { entry: (entry) => ({ ...entry, key: randomUUID() }) }],
  ['lets two tabs send at once', { hasNoLock: true }],
] satisfies [string, Breakage][])
  testOfBroken(what, (mostRuns) => chaosRun(breakage, mostRuns), eachMs);

testOfTwo(
  'the same holds against two processes behind one port, while one after the other is killed',
  () => playOnTwo((mostRuns) => chaosRun({}, mostRuns)),
  eachMs,
);
