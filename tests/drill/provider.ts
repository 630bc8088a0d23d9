/** The test payment provider in its own process, which outlives the shop: its ledger is the oracle. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '../support/books';
import { end, findFreePort, startNode } from './processes';

export type Provider = Awaited<ReturnType<typeof startProvider>>;

/** @param webhookUrl where the shop is told what happened */
export async function startProvider(dataDir: string, webhookUrl: string) {
  const keys = { STRIPE_SECRET_KEY: newKey('sk_test_'), STRIPE_WEBHOOK_SECRET: newKey('whsec_') };
  const token = randomUUID();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startNode(['dist/server/sandbox.js'], {
    ...keys,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    SANDBOX_PORT: String(port),
    SANDBOX_CONTROL_TOKEN: token,
    WEBHOOK_URL: webhookUrl,
  });
  while (!child.said().includes('Test payment provider at')) {
    if (!child.isRunning()) throw new Error(`the payment provider did not start: ${child.said()}`);
    await pause(20);
  }
  const control = async (method: string, action: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/_sandbox/${action}`, {
      method,
      headers: { 'x-sandbox-token': token },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the provider answered ${action} with ${response.status}`);
    return response.json();
  };
  return {
    url,
    keys,
    /** @returns whether the session is paid now; an expired one cannot be */
    pay: async (session: string) =>
      ((await control('POST', 'pay', { session })) as { result: string }).result === 'paid',
    ledger: async () => (await control('GET', 'ledger')) as Ledger,
    close: () => end(child, 'SIGKILL'),
  };
}

const newKey = (prefix: string) => `${prefix}${randomUUID().replaceAll('-', '')}`;
