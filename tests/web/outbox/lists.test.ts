// @vitest-environment node
/**
 * Two phones and an office browser, two tabs each, randomly change the same lists, with every fault of a network and a
 * phone, against the real server. In the end the lists are equal everywhere; no par or count is lost unless a later one
 * replaced it; nothing removed returns; and rejected changes are still on their device.
 */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isListChange, type ListChange, type ProductList } from '../../../src/shared/lists';
import type { Entry } from '../../../src/web/outbox/entry';
import { createRandom } from '../../chaos/random';
import { findBreaches } from '../../support/books';
import { listsOf } from '../../support/lists';
import { createDevice, type Device } from './devices';
import { drillShop, forgetsSent, inTimeMs, playRuns, runs, testOfBroken, testOfTwo } from './randomRuns';
import { type Outcome, possibleOutcomes, withRefused, written } from './listRules';
import { live, otherActs } from './live';
import type { Breakage, World } from './network';
import { listsSubject } from './subjects';

const deviceCount = 3;

let products: string[];
const { shop, served, playOnTwo } = drillShop(async (opened) => {
  products = [(await opened.stock()).id, (await opened.stock()).id];
});

type Act = { place: number } & (
  | { name: 'set'; list: number; product: number; par?: number; onHand?: number; add?: true }
  | { name: 'take'; list: number; product: number }
  | { name: 'delete'; list: number }
  | { name: 'rename'; list: number }
  | { name: 'order'; list: number; productIds: readonly number[] }
  | { name: 'create' }
  | { name: (typeof otherActs)[number] }
);

const place = fc.integer({ min: 0, max: 1 });
const list = fc.constantFrom(0, 0, 0, 1); // mostly the same one
const product = fc.integer({ min: 0, max: 1 });
const figure = fc.integer({ min: 0, max: 999 });
const ofItem = { place, list, product };
const set = { ...ofItem, name: fc.constant('set' as const) };
const add = fc.constant(true as const);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...set, par: figure }) },
  { weight: 4, arbitrary: fc.record({ ...set, onHand: figure }) },
  { weight: 2, arbitrary: fc.record({ ...set, par: figure, add }) },
  { weight: 1, arbitrary: fc.record({ ...set, onHand: figure, add }) },
  { weight: 3, arbitrary: fc.record({ ...ofItem, name: fc.constant('take' as const) }) },
  { weight: 1, arbitrary: fc.record({ place, list: fc.constant(1), name: fc.constant('delete' as const) }) },
  { weight: 1, arbitrary: fc.record({ place, list, name: fc.constant('rename' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ place, list, name: fc.constant('order' as const), productIds: fc.shuffledSubarray([0, 1]) }),
  },
  { weight: 1, arbitrary: fc.record({ place, name: fc.constant('create' as const) }) },
  { weight: 4, arbitrary: fc.record({ place, name: fc.constantFrom(...otherActs) }) },
);
const acts = fc.array(act, { minLength: 2, maxLength: 9 });
const plan = fc.record({ acts: fc.tuple(acts, acts, acts), seed: fc.integer() });
type Plan = { acts: readonly (readonly Act[])[]; seed: number };

/** The owners of the lists: two of them, and the first product of each has a par at the start. */
async function play({ acts: plans, seed }: Plan, breakage: Breakage): Promise<void> {
  const [person, other] = await Promise.all([shop().signIn(), shop().signIn()]);
  const world: World = {
    shop: served(),
    person,
    other,
    subject: listsSubject,
    random: createRandom(seed).next,
    breakage,
    stragglers: [],
    wrongs: [],
  };
  const { create, set: put } = listsOf(shop);
  const ids = [randomUUID(), randomUUID()];
  for (const id of ids) {
    await create(person, id, `List ${id}`);
    await put(person, id, products[0] ?? '', { add: true, par: 5 });
  }
  const devices = Array.from({ length: deviceCount }, () => createDevice(world));
  try {
    const toChange = (each: Act) => changeOf(each, person.userId, ids);
    await Promise.all(devices.map((device, index) => live(world, device, plans[index] ?? [], toChange)));
    await check(world, devices, ids);
  } finally {
    for (const device of devices) device.close();
  }
}

function changeOf(each: Act, userId: string, ids: readonly string[]): ListChange | undefined {
  const listId = 'list' in each ? (ids[each.list] ?? '') : '';
  const productId = 'product' in each ? (products[each.product] ?? '') : '';
  switch (each.name) {
    case 'set': {
      const { place: _p, name: _n, list: _l, product: _q, ...fields } = each;
      return { operation: 'setListItem', input: { userId, listId, productId, fields } };
    }
    case 'take':
      return { operation: 'removeListItem', input: { userId, listId, productId } };
    case 'delete':
      return { operation: 'deleteList', input: { userId, listId } };
    case 'rename':
      return { operation: 'renameList', input: { userId, listId, name: `Name ${randomUUID()}` } };
    case 'order': {
      const productIds = each.productIds.map((index) => products[index] ?? '');
      return { operation: 'orderList', input: { userId, listId, productIds } };
    }
    case 'create': {
      const id = randomUUID();
      return { operation: 'createList', input: { userId, list: { id, name: `List ${id}` } } };
    }
    default:
      return undefined;
  }
}

async function check(world: World, devices: readonly Device[], ids: readonly string[]): Promise<void> {
  const left = await Promise.all(devices.map((device) => device.settle()));
  await Promise.all(world.stragglers);
  expect(world.wrongs).toEqual([]);
  const lists = await listsOf(served).lists(world.person);
  expect(await listsOf(served).lists(world.other)).toEqual([]);
  const made = devices.map((device) => device.kept().filter(isListChange));
  for (const listId of ids) {
    for (const productId of products) checkItem(lists, made, left, { listId, productId });
    checkName(lists, made, listId);
  }
  const created = made.flat().flatMap((change) => (change.operation === 'createList' ? [change.input.list.id] : []));
  for (const id of created) expect(lists.filter((each) => each.id === id)).toHaveLength(1);
  expect(lists.map(({ id }) => id).filter((id) => !ids.includes(id) && !created.includes(id))).toEqual([]);
  for (const device of devices) for (const page of await device.pages()) expect(page).toEqual(lists);
}

type About = { listId: string; productId: string };

function checkItem(lists: ProductList[], made: ListChange[][], left: readonly Entry[][], about: About): void {
  const found = lists.find(({ id }) => id === about.listId);
  const item = found?.items.find(({ productId }) => productId === about.productId);
  let refused: Outcome['refused'] = {};
  left.forEach((entries, device) => {
    for (const entry of entries) if (isAbout(entry, about)) refused = withRefused(refused, device, entry.input.fields);
  });
  const first = about.productId === products[0] ? { par: 5, onHand: null } : undefined;
  const possible = possibleOutcomes(made, about, { isListThere: true, item: first, refused: {} });
  const now = written({ isListThere: found !== undefined, item, refused });
  expect(possible, JSON.stringify({ now, made })).toContain(now);
}

type Setting = Entry & Extract<ListChange, { operation: 'setListItem' }>;
const isAbout = (entry: Entry, { listId, productId }: About): entry is Setting =>
  isListChange(entry) &&
  entry.operation === 'setListItem' &&
  entry.input.listId === listId &&
  entry.input.productId === productId;

/** The last name that a device gave, if any device gave one. */
function checkName(lists: ProductList[], made: ListChange[][], listId: string): void {
  const found = lists.find(({ id }) => id === listId);
  if (!found) return;
  const last = made.flatMap((changes) => {
    const names = changes.flatMap(({ operation, input }) =>
      operation === 'renameList' && input.listId === listId ? [input.name] : [],
    );
    return names.slice(-1);
  });
  expect(last.length > 0 ? last : [`List ${listId}`]).toContain(found.name);
}

const chaosRun = (breakage: Breakage, mostRuns = runs) => playRuns(plan, (each) => play(each, breakage), mostRuns);
const eachMs = 3000;

test(
  `${runs} times two phones and an office browser end with equal lists, and nothing lost or resurrected`,
  async () => {
    await chaosRun({});
    expect(await findBreaches({ pool: shop().pool, ledger: undefined })).toEqual([]);
  },
  inTimeMs(runs, eachMs),
);

testOfBroken('deletes a change before its answer', (mostRuns) => chaosRun(forgetsSent, mostRuns), eachMs);

testOfTwo(
  'the same holds against two processes behind one port, while one after the other is killed',
  () => playOnTwo((mostRuns) => chaosRun({}, mostRuns)),
  eachMs,
);
