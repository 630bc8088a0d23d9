/**
 * Shared by the random runs of the outbox: the shop that they call, and the number of runs. OUTBOX_RUNS sets it (`npm
 * run test:nightly` and `npm run chaos` make 1,000). With CHAOS_PROCESSES=2 (or more) they run against that many
 * processes of the built shop behind one port, one of which is killed every few seconds.
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
const inParallel = 10; // a run mostly waits
const shortRuns = 10;

/** Opens the shop before the tests of a file. @param stock creates the products of the runs */
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
    /** Plays while two processes are killed in turns. */
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

/** @throws immediately when a run went wrong */
export async function playRuns<Plan>(
  plan: fc.Arbitrary<Plan>,
  play: (each: Plan) => Promise<void>,
  mostRuns: number,
): Promise<void> {
  const together = fc.array(plan, { minLength: inParallel, maxLength: inParallel });
  const property = fc.asyncProperty(together, async (plans) => {
    const played = await Promise.allSettled(plans.map(play));
    for (const result of played) if (result.status === 'rejected') throw result.reason;
  });
  await fc.assert(property, { numRuns: Math.ceil(mostRuns / inParallel), endOnFailure: true });
}

/** Much longer than needed: a busy machine is no fault. Restarting processes take much of it. */
export const inTimeMs = (mostRuns: number, eachMs: number, count = processes) =>
  (60_000 + mostRuns * eachMs) * (count > 1 ? 5 : 1);

/** An outbox broken in this way must be detected, which takes long: nightly only. */
export function testOfBroken(name: string, chaosRun: (mostRuns: number) => Promise<void>, eachMs: number): void {
  if (!isNightly) return;
  test(
    `an outbox that ${name} is detected`,
    async () => {
      await expect(chaosRun(runsUntilFound)).rejects.toThrow();
    },
    inTimeMs(runsUntilFound, eachMs),
  );
}

/** Some faults show only when two tabs meet: a few times in a hundred, so a hundred runs are not enough. */
const runsUntilFound = Math.max(800, runs * 8);

/** A test of the long form, unless its file runs on several processes anyway. */
export function testOfTwo(name: string, work: () => Promise<void>, eachMs: number): void {
  if (isNightly && processes === 1) test(name, work, inTimeMs(shortRuns, eachMs, 2));
}

/** An outbox that deletes a change before its response. */
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
