/** Whose turn it is for a connection. Rule: docs/rules/running.md, Overload */
import { expect, test } from 'vitest';
import { TooManyWaiting } from '../../../src/server/db/errors';
import { Turns, type Caller, type Underway } from '../../../src/server/db/turns';
import { seededRandom } from '../../support/random';

const limits = { atOnce: 10, forVisitors: 6, maxWaiting: 100, withinMs: 60_000 };
const user = (key: string, network = 'home', most = 4): Caller => ({ key, network, most, rank: 'user' });
const visitors = (network: string, call = 'search'): Caller => ({
  key: `${network} ${call}`,
  network,
  most: 4,
  rank: 'visitor',
});

/** Asks for a connection, and says in `began` when it has one. */
function ask(turns: Turns, caller: Caller | undefined, name: string, began: string[]) {
  const call: Underway | undefined = caller && { caller, held: 0 };
  const refused: { error?: unknown } = {};
  const turn = turns.take(call);
  const refuse = (error: unknown) => (refused.error = error);
  if (turn) turn.then(() => began.push(name), refuse);
  else began.push(name);
  return { call, refused, leave: () => turns.leave(call) };
}
const settled = () => new Promise(setImmediate);

test('a caller has so many connections at once and no more, whatever is free', () => {
  const turns = new Turns(limits);
  const began: string[] = [];
  for (let each = 0; each < 6; each++) ask(turns, user('ana'), `ana ${each}`, began);
  expect([began.length, turns.waiting]).toEqual([4, 2]);
});

test('callers take turns, whoever came first with however many calls', async () => {
  const turns = new Turns(limits);
  const began: string[] = [];
  const busy = Array.from({ length: 10 }, () => ask(turns, undefined, 'shop', []));
  for (let each = 0; each < 30; each++) ask(turns, user('mallory', 'home', 1), `mallory ${each}`, began);
  ask(turns, user('ana'), 'ana', began);
  ask(turns, user('fatou'), 'fatou', began);
  for (const one of busy.slice(0, 3)) one.leave();
  await settled();
  expect(began).toEqual(['mallory 0', 'ana', 'fatou']);
});

test('networks take turns, however many callers one of them has', async () => {
  const turns = new Turns(limits);
  const began: string[] = [];
  const busy = Array.from({ length: 10 }, () => ask(turns, undefined, 'shop', []));
  for (let each = 0; each < 40; each++) ask(turns, user(`bot ${each}`, 'farm'), `bot ${each}`, began);
  ask(turns, user('ana', 'home'), 'ana', began);
  for (const one of busy.slice(0, 2)) one.leave();
  await settled();
  expect(began).toEqual(['bot 0', 'ana']);
});

test('visitors never have all connections, so that a user finds one', () => {
  const turns = new Turns(limits);
  const began: string[] = [];
  for (let each = 0; each < 40; each++) ask(turns, visitors(`network ${each}`), 'visitor', began);
  expect(began).toHaveLength(6);
  ask(turns, user('ana'), 'ana', began);
  expect(began.at(-1)).toBe('ana');
});

test('a call that has a connection gets a second one beyond its share: otherwise it would wait for itself', async () => {
  const turns = new Turns(limits);
  const began: string[] = [];
  const first = ask(turns, user('ana', 'home', 1), 'first', began);
  expect(turns.take(first.call)).toBeUndefined();
  const busy = Array.from({ length: 8 }, () => ask(turns, undefined, 'shop', []));
  for (let each = 0; each < 5; each++) ask(turns, user(`user ${each}`), 'others', began);
  const third = turns.take(first.call);
  busy[0]?.leave();
  await third;
  expect(first.call?.held).toBe(3);
});

test('when too many wait, the newest call of whoever waits with most is told to come back: visitors before users', async () => {
  const turns = new Turns(limits);
  const ask100 = Array.from({ length: 10 }, () => ask(turns, undefined, 'shop', []));
  const payer: Caller = { key: 'payer', network: 'home', most: 4, rank: 'ending' };
  const ending = Array.from({ length: 20 }, (_, each) => ask(turns, payer, `pay ${each}`, []));
  const few = [ask(turns, visitors('home'), 'few', []), ask(turns, user('ana'), 'ana', [])];
  const many = Array.from({ length: 60 }, (_, each) => ask(turns, user('mallory', 'farm'), `mallory ${each}`, []));
  const searches = Array.from({ length: 18 }, (_, each) => ask(turns, visitors('farm'), `search ${each}`, []));
  expect(turns.waiting).toBe(100);
  const late = [ask(turns, user('late'), 'late', []), ask(turns, payer, 'late payment', [])];
  await settled();
  const refused = (asked: { refused: { error?: unknown } }[]) =>
    asked.flatMap((each, at) => (each.refused.error instanceof TooManyWaiting ? [at] : []));
  expect([searches, many, few, ending, late].map(refused)).toEqual([[16, 17], [], [], [], []]);
  for (let each = 0; each < 17; each++) ask(turns, user(`user ${each}`), 'more', []);
  await settled();
  expect([refused(searches).length, refused(few), refused(many)]).toEqual([18, [0], []]);
  ask(turns, user('one more'), 'more', []);
  await settled();
  expect(refused(many)).toEqual([59]);
  for (const one of ask100) one.leave();
});

test('who waits in vain is told so, and is in nobody’s way afterwards', async () => {
  const turns = new Turns({ ...limits, atOnce: 1, withinMs: 5 });
  const began: string[] = [];
  const first = ask(turns, user('ana'), 'first', began);
  const second = ask(turns, user('ana'), 'second', began);
  await expect.poll(() => second.refused.error).toEqual(new Error('timeout exceeded when trying to connect'));
  const third = ask(turns, user('ana'), 'third', began);
  first.leave();
  await settled();
  expect([began, turns.waiting]).toEqual([['first', 'third'], 0]);
  third.leave();
});

test('in any order of coming and going no connection is lost, lent twice or kept from somebody who may have it', async () => {
  const random = seededRandom();
  const callers = [undefined, user('ana'), user('fatou', 'office', 1), visitors('home'), visitors('office')];
  for (let round = 0; round < 100; round++) {
    const turns = new Turns({ ...limits, maxWaiting: 1_000 });
    const asked = new Map<string, ReturnType<typeof ask>>();
    const began: string[] = [];
    const leaveOne = () => asked.get(began.splice(random.below(began.length), 1)[0] ?? '')?.leave();
    for (let step = 0; step < 100; step++) {
      const caller = callers[random.below(callers.length)];
      if (random.below(3) > 0 || began.length === 0) asked.set(`${step}`, ask(turns, caller, `${step}`, began));
      else leaveOne();
      await settled();
      const having = began.map((name) => asked.get(name)?.call?.caller);
      expect(having.length).toBeLessThanOrEqual(10);
      for (const each of callers)
        if (each) expect(having.filter((caller) => caller === each).length).toBeLessThanOrEqual(each.most);
    }
    while (began.length > 0) {
      leaveOne();
      await settled();
    }
    expect(turns.waiting).toBe(0);
  }
});
