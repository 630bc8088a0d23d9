import { describe, expect, test } from 'vitest';
import { createFairQueue } from '../../../src/server/http/limits/fairQueue';

/** A queue whose work ends when the test says so, and the outcome of each. */
function openQueue(limits: { waiting?: number; ofNetwork?: number; ofAccount?: number } = {}) {
  const queue = createFairQueue({
    concurrency: 1,
    waiting: 8,
    ofNetwork: 6,
    ofAccount: 4,
    tooMany: () => new Error('too many'),
    full: () => new Error('full'),
    ...limits,
  });
  const began: string[] = [];
  const refused: string[] = [];
  const running: (() => void)[] = [];
  let settled: Promise<unknown> = Promise.resolve();
  const enter = (who: string, prepare?: () => Promise<void>) => {
    const [network = '', account = ''] = who.split(' ');
    const entered = queue
      .run(
        { network, account },
        async () => {
          began.push(who);
          await new Promise<void>((resolve) => running.push(resolve));
        },
        prepare,
      )
      .catch(({ message }: Error) => refused.push(`${who}: ${message}`));
    settled = Promise.all([settled, entered]);
  };
  return {
    enter: (...all: string[]) => all.forEach((who) => enter(who)),
    enterAfter: (prepare: () => Promise<void>, ...all: string[]) => all.forEach((who) => enter(who, prepare)),
    began,
    refused,
    /** Ends one after the other until none is left. */
    async drain() {
      const done = settled.then(() => true);
      while (!(await Promise.race([done, nextTick()]))) running.shift()?.();
    },
  };
}

const nextTick = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)));
const times = (count: number, who: string) => Array.from({ length: count }, () => who);

describe('passwords are checked in fair turns', () => {
  test('a login behind a pile of another network waits for one of it', async () => {
    const queue = openQueue();
    queue.enter(...times(5, 'a ana'), 'b ben', 'c cleo');
    await queue.drain();
    expect(queue.began).toEqual(['a ana', 'a ana', 'b ben', 'c cleo', 'a ana', 'a ana', 'a ana']);
  });

  test('within a network its accounts take turns', async () => {
    const queue = openQueue();
    queue.enter(...times(4, 'a ana'), 'a ben', 'b cleo', 'b cleo');
    await queue.drain();
    expect(queue.began).toEqual(['a ana', 'a ana', 'b cleo', 'a ben', 'b cleo', 'a ana', 'a ana']);
  });

  test('an account and a network may have a limited number waiting', async () => {
    const queue = openQueue();
    queue.enter(...times(6, 'a ana'), 'a ben', 'a cleo', 'a dora');
    await queue.drain();
    expect(queue.refused).toEqual(['a ana: too many', 'a dora: too many']);
    expect(queue.began).toHaveLength(7);
  });

  test('in a full queue the network with the most loses its last to one that has fewer', async () => {
    const queue = openQueue();
    queue.enter('z first', ...times(4, 'a ana'), ...times(2, 'a ben'), 'b cleo', 'c dora', 'd eve', 'b cleo');
    expect(queue.refused).toEqual([]);
    await queue.drain();
    expect(queue.refused).toEqual(['a ana: full', 'a ana: full']);
    expect(queue.began.slice(1, 5)).toEqual(['a ana', 'b cleo', 'c dora', 'd eve']);
    expect(queue.began).toHaveLength(9);
  });

  test('a full queue in which all have as many rejects the next', async () => {
    const queue = openQueue({ waiting: 3 });
    queue.enter('z first', 'a ana', 'b ben', 'c cleo', 'd dora', 'a ana');
    await queue.drain();
    expect(queue.refused).toEqual(['d dora: full', 'a ana: full']);
    expect(queue.began).toEqual(['z first', 'a ana', 'b ben', 'c cleo']);
  });

  test('a check before the wait takes a slot of the account, and frees it when it fails', async () => {
    const queue = openQueue({ ofAccount: 2 });
    const looking: ((isGood: boolean) => void)[] = [];
    const look = () =>
      new Promise<void>((good, bad) => looking.push((isGood) => (isGood ? good() : bad(new Error('no')))));
    queue.enterAfter(look, 'a ana', 'a ana', 'a ana');
    queue.enter('b ben');
    expect(looking).toHaveLength(2);
    for (const [index, answer] of looking.entries()) answer(index === 0);
    await nextTick();
    queue.enter('a ana');
    await queue.drain();
    expect(queue.refused).toEqual(['a ana: too many', 'a ana: no']);
    expect(queue.began).toEqual(['b ben', 'a ana', 'a ana']);
  });

  test('failing work gives up its turn', async () => {
    const queue = createFairQueue({
      concurrency: 1,
      waiting: 1,
      ofNetwork: 1,
      ofAccount: 1,
      tooMany: () => new Error('too many'),
      full: () => new Error('full'),
    });
    const party = { network: 'a', account: 'ana' };
    const failing = queue.run(party, () => Promise.reject(new Error('broken')));
    const next = queue.run(party, async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
    expect(await queue.run(party, async () => 'again')).toBe('again');
  });
});
