/** Who gets the next connection. Rule: docs/rules/running.md, Overload */
import { describe, expect, test } from 'vitest';
import { TooManyWaiting } from '../../../src/server/db/core/errors';
import { Turns, type Caller, type CallState } from '../../../src/server/db/core/turns';
import { seededRandom } from '../../support/random';

const limits = { concurrency: 10, forVisitors: 6, maxWaiting: 100, withinMs: 60_000 };
const user = (key: string, network = 'home', most = 4): Caller => ({ key, network, most, rank: 'user' });
const visitors = (network: string, call = 'search'): Caller => ({
  key: `${network} ${call}`,
  network,
  most: 4,
  rank: 'visitor',
});

/** Requests a connection, and sets `began` when it has one. */
function ask(turns: Turns, caller: Caller | undefined, name: string, began: string[]) {
  const call: CallState | undefined = caller && { caller, held: 0, had: 0 };
  const refused: { error?: unknown } = {};
  const turn = turns.take(call);
  const refuse = (error: unknown) => (refused.error = error);
  if (turn) turn.then(() => began.push(name), refuse);
  else began.push(name);
  return { call, refused, leave: () => turns.leave(call) };
}
const settled = () => new Promise(setImmediate);

test('a caller has a limited number of connections at the same time, whatever is free', () => {
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

test('a call that must finish goes before others begin, twelve times at most', async () => {
  const turns = new Turns(limits);
  const began: string[] = [];
  const busy = Array.from({ length: 10 }, () => ask(turns, undefined, 'shop', []));
  const login: CallState = { caller: { ...visitors('home', 'login'), goesOn: true }, held: 0, had: 1 };
  const long: CallState = { caller: { ...user('owner'), goesOn: true }, held: 0, had: 12 };
  for (const name of ['bot 0', 'bot 1']) ask(turns, user(name), name, began);
  void turns.take(long)?.then(() => began.push('long'));
  void turns.take(login)?.then(() => began.push('login'));
  for (const one of busy.slice(0, 4)) one.leave();
  await settled();
  expect(began).toEqual(['login', 'bot 0', 'bot 1', 'long']);
});

test('one that must not begin yet blocks no other that has begun', async () => {
  const turns = new Turns(limits);
  const began: string[] = [];
  const busy = Array.from({ length: 9 }, () => ask(turns, undefined, 'shop', []));
  ask(turns, user('ana', 'home', 1), 'ana 0', began);
  const calls = (['ana', 'fatou'] as const).map((name): [string, CallState] => [
    name,
    { caller: { ...user(name, 'home', 1), goesOn: true }, held: 0, had: 1 },
  ]);
  for (const [name, call] of calls) void turns.take(call)?.then(() => began.push(name));
  busy[0]?.leave();
  await settled();
  expect(began).toEqual(['ana 0', 'fatou']);
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

type Asked = ReturnType<typeof ask>;
const several = <One>(times: number, one: (each: number) => One) =>
  Array.from({ length: times }, (_, each) => one(each));
/** Which of them were rejected for overload. */
const refusedOf = (asked: readonly Asked[]) =>
  asked.flatMap(({ refused }, at) => (refused.error instanceof TooManyWaiting ? [at] : []));

/** All connections are taken, so that all others wait. */
function openBusy() {
  const turns = new Turns(limits);
  const busy = several(10, () => ask(turns, undefined, 'shop', []));
  const waitsOf = (caller: Caller, times: number) => several(times, (each) => ask(turns, caller, `${each}`, []));
  return { turns, busy, waitsOf };
}
const ending = (key: string, network = 'home'): Caller => ({ ...user(`${key} endings`, network, 2), keeps: 4 });

describe('when too many wait, the rejected one is', () => {
  test('the newest call of the caller with most, and among equal callers visitors before users', async () => {
    const { turns, waitsOf } = openBusy();
    const mallory = waitsOf(user('mallory', 'farm'), 60);
    const few = [...waitsOf(visitors('home'), 1), ...waitsOf(user('ana'), 1)];
    const others = several(38, (each) => waitsOf(user(`user ${each}`, `network ${each}`), 1)).flat();
    expect(turns.waiting).toBe(100);
    const late = waitsOf(user('late', 'late'), 20);
    await settled();
    expect([mallory, few, others, late].map(refusedOf)).toEqual([several(20, (at) => at + 40), [], [], []]);
    const { waitsOf: waits } = openBusy();
    const users = several(100, (each) => waits(user(`user ${each}`, `home ${each}`), 1)).flat();
    const visitor = waits(visitors('office'), 1);
    await settled();
    expect([refusedOf(users), refusedOf(visitor)]).toEqual([[], [0]]);
  });

  test('of the network with most, however many accounts it has and however few calls each of them', async () => {
    const { waitsOf } = openBusy();
    const accounts = several(32, (each) => waitsOf(user(`bot ${each}`, 'farm'), 3)).flat();
    const honest = [
      ...waitsOf(visitors('home'), 1),
      ...waitsOf(user('ana', 'office'), 4),
      ...waitsOf(visitors('bus'), 2),
    ];
    await settled();
    expect([refusedOf(accounts).length, refusedOf(honest)]).toEqual([3, []]);
  });

  test('not one of the visitors or users of a network for a flood of its others', async () => {
    const { waitsOf } = openBusy();
    const accounts = several(49, (each) => waitsOf(user(`bot ${each}`, 'home'), 2)).flat();
    const logins = waitsOf(visitors('home', 'login'), 3);
    const flood = openBusy();
    const searches = flood.waitsOf(visitors('home'), 98);
    const carts = several(3, (each) => flood.waitsOf(user(`user ${each}`), 1)).flat();
    await settled();
    expect([refusedOf(accounts).length, refusedOf(logins)]).toEqual([1, []]);
    expect([refusedOf(searches).length, refusedOf(carts)]).toEqual([1, []]);
  });

  test('never one of the first few that end an order or a session, nor another one because of those', async () => {
    const { turns, busy, waitsOf } = openBusy();
    const logouts = waitsOf({ ...visitors('farm', 'logout'), most: 2, keeps: 4 }, 104);
    const paid = several(30, (each) => waitsOf(ending(`user ${each}`, 'farm'), 4)).flat();
    await settled();
    expect([turns.waiting, refusedOf(logouts), refusedOf(paid)]).toEqual([224, [], []]);
    const told = waitsOf({ ...user('provider', 'provider'), keeps: Infinity }, 150);
    const ana = [...waitsOf(user('ana'), 4), ...waitsOf(visitors('home', 'login'), 1)];
    await settled();
    expect([refusedOf(logouts).length, refusedOf(paid), refusedOf(told), refusedOf(ana)]).toEqual([5, [], [], []]);
    for (const one of busy) one.leave();
    await settled();
    expect([logouts, told, ana].map((asked) => asked.filter(({ call }) => call?.held).length)).toEqual([1, 3, 3]);
  });

  test('never the shop’s own work, which is not counted either', async () => {
    const { turns, waitsOf } = openBusy();
    const own = several(150, (each) => ask(turns, undefined, `own ${each}`, []));
    const ana = waitsOf(user('ana'), 4);
    await settled();
    expect([turns.waiting, refusedOf(own), refusedOf(ana)]).toEqual([154, [], []]);
  });

  test('never one that has had its turn and is no longer counted', async () => {
    const { turns, busy, waitsOf } = openBusy();
    const first = waitsOf(visitors('farm'), 150);
    await settled();
    expect([turns.waiting, refusedOf(first).length]).toEqual([100, 50]);
    for (const one of busy) one.leave();
    for (const one of first.slice(0, 100)) one.leave(); // each gets its turn when the ones before have left
    expect(turns.waiting).toBe(0);
    for (let each = 0; each < 10; each++) ask(turns, undefined, 'shop', []);
    const again = waitsOf(user('ana'), 100);
    await settled();
    expect([turns.waiting, refusedOf(again)]).toEqual([100, []]);
  });
});

test('a call that waits in vain gets an error, and blocks nobody afterwards', async () => {
  const turns = new Turns({ ...limits, concurrency: 1, withinMs: 5 });
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

test('in any order of calls no connection is lost, lent twice or withheld from a caller entitled to it', async () => {
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
