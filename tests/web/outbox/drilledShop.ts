/**
 * What the random runs of the outbox share: the shop that they call, and how many runs are played. OUTBOX_RUNS says how
 * many (`npm run test:nightly` and `npm run chaos` make 1,000). With CHAOS_PROCESSES=2 (or more) all of it is against so many
 * processes of the built shop behind one port, of which one is killed every few seconds.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNightly } from '../../support/nightly';
import { openOwnShop, type TestShop } from '../../support/shop';
import type { Breakage } from './network';
import { openProcesses } from './processes';

export const runs = Number(process.env['OUTBOX_RUNS'] ?? (isNightly ? 1000 : 30));
const processes = Number(process.env['CHAOS_PROCESSES'] ?? 1);
const killEveryMs = 3_000;
const atOnce = 10; // a run mostly waits
const shortRuns = 10;

/** Opens the shop before the tests of a file. @param stock puts into it what the runs are about */
export function drillShop(stock: (shop: TestShop) => Promise<void>) {
  let shop: TestShop;
  let served: Pick<TestShop, 'call' | 'again'>;
  let several: Awaited<ReturnType<typeof openProcesses>> | undefined;
  beforeAll(async () => {
    shop = await openOwnShop();
    if (processes > 1) several = await openProcesses(shop, processes, killEveryMs);
    served = { ...shop, ...several };
    await stock(shop);
  });
  afterAll(async () => {
    await several?.close();
    await shop.close();
  });
  return {
    shop: () => shop,
    /** Which server the devices call. */
    served: () => served,
    /** Plays while one of two processes after the other is killed. */
    playOnTwo: async (play: (mostRuns: number) => Promise<void>): Promise<void> => {
      const two = await openProcesses(shop, 2, killEveryMs);
      served = { ...shop, ...two };
      try {
        await play(shortRuns);
      } finally {
        await two.close();
      }
      expect(two.kills()).toBeGreaterThan(0);
    },
  };
}

/** @throws when a run went wrong, at once */
export async function playRuns<Plan>(
  plan: fc.Arbitrary<Plan>,
  play: (each: Plan) => Promise<void>,
  mostRuns: number,
): Promise<void> {
  const together = fc.array(plan, { minLength: atOnce, maxLength: atOnce });
  const property = fc.asyncProperty(together, async (plans) => {
    const played = await Promise.allSettled(plans.map(play));
    for (const result of played) if (result.status === 'rejected') throw result.reason;
  });
  await fc.assert(property, { numRuns: Math.ceil(mostRuns / atOnce), endOnFailure: true });
}

/** Many times what it takes: a busy machine is no fault. Processes that start again and again take much of it. */
export const inTimeMs = (mostRuns: number, eachMs: number, count = processes) =>
  (60_000 + mostRuns * eachMs) * (count > 1 ? 5 : 1);

/** An outbox that is broken in this way must be found out, which takes long: by night. */
export function testOfBroken(name: string, chaosRun: (mostRuns: number) => Promise<void>, eachMs: number): void {
  if (!isNightly) return;
  test(
    `an outbox that ${name} is found out`,
    async () => {
      await expect(chaosRun(runsUntilFound)).rejects.toThrow();
    },
    inTimeMs(runsUntilFound, eachMs),
  );
}

/** Two tabs must meet for some faults to show: a few in a hundred times a hundred runs are not enough. */
const runsUntilFound = Math.max(800, runs * 8);

/** A test of the long form, where its file is not played on several processes anyway. */
export function testOfTwo(name: string, work: () => Promise<void>, eachMs: number): void {
  if (isNightly && processes === 1) test(name, work, inTimeMs(shortRuns, eachMs, 2));
}

/** An outbox that deletes a change before its answer. */
export const forgetsSent: Breakage = {
  storage: (storage) => ({
    ...storage,
    async markSent(keys, answered) {
      const entries = await storage.markSent(keys, answered);
      await storage.remove(keys);
      return entries;
    },
  }),
};
