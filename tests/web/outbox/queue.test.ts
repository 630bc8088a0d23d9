// @vitest-environment node
/**
 * The outbox's pure core, driven directly: thousands of plans a second, each with every fault at any step. Invariants
 * are asserted in queueWorld.ts where they would break. OUTBOX_SEED repeats a run; fast-check prints it on failure.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../../../src/web/outbox/entry';
import { emptyQueue, next } from '../../../src/web/outbox/queue';
import type { Effect, Event } from '../../../src/web/outbox/steps';
import { madeEntry, type Name, operations } from './queueOperations';
import { createWorld, type Luck } from './queueWorld';

const place = fc.integer({ min: 0, max: 1 });
const luck = fc.oneof(
  { arbitrary: fc.constant<Luck>('well'), weight: 5 },
  {
    arbitrary: fc.constantFrom<Luck>('lostThere', 'lostBack', 'refused', 'busy', 'sealed', 'duty', 'gone', 'breaks'),
    weight: 3,
  },
);
type World = ReturnType<typeof createWorld>;
type Act = (world: World) => unknown;
const written = (text: string, act: Act): Act => Object.assign(act, { toString: () => text });

const step = fc
  .tuple(fc.nat(20), luck)
  .map(([which, luck]) => written(`step ${which} ${luck}`, (world) => world.step(which, luck)));
const make = fc
  .tuple(place, fc.constantFrom<Name>('plus', 'remove', 'count', 'message'), fc.boolean())
  .map(([at, name, isVisitor]) =>
    written(`make ${at} ${name} ${isVisitor}`, (world) => world.make(at, name, isVisitor)),
  );
const count = fc
  .tuple(place, fc.integer({ min: 2, max: 6 }))
  .map(([at, times]) =>
    written(`count ${at} ${times}`, (world) => Array.from({ length: times }, () => world.make(at, 'count', false))),
  );
const rare = [
  count,
  place.map((at) => written(`ask ${at}`, (world) => world.ask(at))),
  place.map((at) => written(`die ${at}`, (world) => world.die(at))),
  fc
    .tuple(place, fc.boolean())
    .map(([at, isRetry]) => written(`decide ${at} ${isRetry}`, (world) => world.decide(at, isRetry))),
  fc
    .constantFrom('ana', 'ben', undefined)
    .map((owner) => written(`owner ${owner}`, (world) => world.become({ owner }))),
  fc.boolean().map((isOnline) => written(`online ${isOnline}`, (world) => world.become({ isOnline }))),
];
const newer = fc
  .constantFrom('ana', 'ben', '')
  .map((userId) => written(`newer ${userId}`, (world) => world.keepNewer(userId)));

/** Busy plans reveal races, quiet ones forgotten work; a newer version's change blocks most of the rest. */
const acts = (others: fc.Arbitrary<Act>[], maxLength: number) =>
  fc.array(
    fc.oneof(
      { weight: 30, arbitrary: step },
      { weight: 4, arbitrary: make },
      ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
    ),
    { minLength: 10, maxLength, size: 'max' },
  );
const plan = fc.oneof(acts(rare, 200), acts([], 60), acts([...rare, newer], 150));

const runs = 3000;
const seed = Number(process.env['OUTBOX_SEED'] ?? Date.now());

function chaosRun(breaks?: (effect: Effect) => Effect[]): void {
  const property = fc.property(plan, (acts) => {
    const world = createWorld(breaks);
    for (const each of acts) each(world);
    world.settle();
  });
  fc.assert(property, { numRuns: runs, seed, endOnFailure: breaks !== undefined });
}

test('whatever happens, nothing is lost, duplicated, overtaken or sent for another user, and every outcome is reported', () =>
  chaosRun());

test('a page that is gone, and no longer gets a lock, does not retry in a tight loop', () => {
  let queue = emptyQueue({});
  const take = (event: Event) => {
    const turn = next(queue, event);
    ({ queue } = turn);
    return turn.effects.map(({ type }) => type);
  };
  expect(take({ type: 'asked' })).toEqual(['lock']);
  expect(take({ type: 'asked' })).toEqual([]);
  expect(take({ type: 'broke' })).toEqual(['later', 'unlock', 'lock']); // as it was requested meanwhile
  expect(take({ type: 'broke' })).toEqual(['later', 'unlock']);
});

/**
 * The core up to where it marks `entry` as sent, as a user.
 * @returns what it requests at each further event, and the marking
 */
function marking(entry: Entry, kept: readonly Entry[]) {
  let queue = { ...emptyQueue(operations), owner: entry.userId };
  const take = (event: Event) => {
    const turn = next(queue, event);
    queue = { ...turn.queue, owner: entry.userId };
    return turn.effects;
  };
  take({ type: 'asked' });
  take({ type: 'locked' });
  take({ type: 'read', read: queue.reads, entries: kept });
  const [effect] = take({ type: 'reached', isOnline: true });
  if (effect?.type !== 'markSent') throw new Error('nothing is marked');
  expect(effect.keys).toEqual([entry.key]);
  return { take, read: effect.read };
}

test('the sent change is as it was when it was marked, even if an older read arrives first', () => {
  const before: Entry = { ...madeEntry(1, 'ana', 'plus'), order: 1 };
  const ofBoth = { userId: 'ana', numbers: [1, 2] }; // another tab made the second
  const marked: Entry = { ...before, input: ofBoth, wasSent: true };
  const { take, read } = marking(before, [before]);
  take({ type: 'heard', message: 'changed' });
  take({ type: 'read', read: read + 1, entries: [before] });
  expect(take({ type: 'marked', read, entries: [marked] })).toEqual([{ type: 'send', entries: [marked] }]);
});

test('what another tab sent before it died is deleted before the next is sent, even if its response comes late', () => {
  const ofAna: Entry = { ...madeEntry(1, 'ana', 'plus'), order: 1, wasSent: true };
  const ofBen: Entry = { ...madeEntry(2, 'ben', 'plus'), order: 2 };
  const { take, read } = marking(ofBen, [ofAna, ofBen]);
  const answer = { answered: ofAna, data: {}, isOld: false };
  take({ type: 'heard', message: answer });
  take({ type: 'cached', answer });
  const entries = [ofAna, { ...ofBen, wasSent: true }];
  const [, look] = take({ type: 'marked', read, entries });
  expect(look).toEqual({ type: 'read', read: read + 1 });
  expect(take({ type: 'read', read: read + 1, entries }).at(-1)).toEqual({ type: 'remove', keys: [ofAna.key] });
});

test('after a batch without any success the next one is half as large, down to one by one', () => {
  const entries = Array.from({ length: 50 }, (_, place) => ({ ...madeEntry(place, 'ana', 'count'), order: place }));
  let queue = { ...emptyQueue(operations), owner: 'ana' };
  const take = (event: Event) => {
    const turn = next(queue, event);
    queue = { ...turn.queue, owner: 'ana' };
    return turn.effects;
  };
  const sendOnce = (isLost: boolean) => {
    take({ type: 'asked' });
    take({ type: 'locked' });
    take({ type: 'read', read: queue.reads, entries });
    take({ type: 'reached', isOnline: true });
    const [sending] = take({ type: 'marked', read: queue.reads, entries }).filter(({ type }) => type === 'send');
    const sent = sending?.type === 'send' ? sending.entries : [];
    if (isLost) take({ type: 'answered', data: [], failed: { error: new TypeError('Failed to fetch') } });
    else take({ type: 'answered', data: sent.map(() => ({})) });
    for (const answered of isLost ? [] : sent) take({ type: 'cached', answer: { answered, data: {}, isOld: false } });
    if (isLost) take({ type: 'reached', isOnline: true });
    return sent.length;
  };
  expect(Array.from({ length: 7 }, () => sendOnce(true))).toEqual([40, 20, 10, 5, 1, 1, 1]);
  expect(sendOnce(false)).toBe(1);
  take({ type: 'reached', isOnline: true });
  const [sending] = take({ type: 'marked', read: queue.reads, entries: entries.slice(1) }).filter(
    ({ type }) => type === 'send',
  );
  expect(sending).toMatchObject({ entries: { length: 40 } });
});

test.each<[string, (effect: Effect) => Effect[], RegExp]>([
  [
    'deletes what was refused',
    (effect) => [effect.type === 'refuse' ? { type: 'remove', keys: [effect.key] } : effect],
    /was removed before its answer was kept/,
  ],
  [
    'makes a new key at each try',
    (effect) =>
      effect.type === 'send'
        ? [{ ...effect, entries: effect.entries.map((entry) => ({ ...entry, key: `${Math.random()}` })) }]
        : [effect],
    /was done under two keys/,
  ],
  [
    'marks only the first of a batch',
    (effect) => [effect.type === 'markSent' ? { ...effect, keys: effect.keys.slice(0, 1) } : effect],
    /was not marked/,
  ],
  [
    'lets go of the lock before it sends',
    (effect) => (effect.type === 'send' ? [{ type: 'unlock' }, effect] : [effect]),
    /sent without the lock/,
  ],
])('a core that %s is detected', (_, breaks, why) => {
  const found = catchOf(() => chaosRun(breaks));
  expect(String(found.cause)).toMatch(why);
});

function catchOf(work: () => void): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was found');
}
