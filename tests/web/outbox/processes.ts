/**
 * The test's shop as several real processes behind one port, killed with -9 in turns and restarted: to the outbox's
 * devices just another network fault.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { end as endProcess } from '../../chaos/processes';
import { createShopProcesses } from '../../chaos/shopProcesses';
import { createUnrest } from '../../chaos/rollingKills';
import { urlOf } from '../../support/globalSetup';
import type { TestShop } from '../../support/shop';

const readsAgainWithinMs = 30_000;

/** @param killEveryMs from when all of them are ready to the next kill */
export async function openProcesses(shop: TestShop, count: number, killEveryMs: number) {
  if (!existsSync('dist/server/main.js')) execFileSync(process.execPath, ['src/tools/build.mjs'], { stdio: 'inherit' });
  const processes = await createShopProcesses(count, 'pipe');
  const unrest = createUnrest(async () => {
    await endProcess(processes.next(), 'SIGKILL');
    await processes.restart();
  }, killEveryMs);
  const call = shop.callerAt(processes.url);
  const end = async () => {
    await processes.kill();
    await processes.close();
  };
  const settings = {
    DATABASE_URL: urlOf(shop.direct),
    DATA_DIR: shop.dataDir,
    HOST: '127.0.0.1',
    PUBLIC_URL: processes.url,
    PAYMENTS: 'sandbox',
    SANDBOX_URL: shop.sandbox.url,
    STRIPE_SECRET_KEY: shop.sandboxKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: shop.sandboxKeys.webhookSecret,
    OWNER_PASSWORD: 'owner of the chaos run 1',
    LOG_LEVEL: 'warn',
  };
  try {
    await processes.start(settings);
  } catch (error) {
    await end();
    throw error;
  }
  unrest.begin();
  return {
    /** The outbox must resend a change; a read is repeated here. */
    call: ((id, options) =>
      id === 'getCart' || id === 'listLists' ? untilRead(() => call(id, options)) : call(id, options)) as typeof call,
    kills: unrest.kills,
    /** @throws Error when one of them ended by itself, or did not come back */
    async close() {
      try {
        await unrest.end();
      } finally {
        await end();
      }
    },
  };
}

async function untilRead<Answer extends { status: number }>(read: () => Promise<Answer>): Promise<Answer> {
  for (const began = Date.now(); ; await pause(20)) {
    const answer = await read().catch((error: unknown) => {
      if (Date.now() - began > readsAgainWithinMs) throw error;
    });
    if (answer && (answer.status < 500 || Date.now() - began > readsAgainWithinMs)) return answer;
  }
}
