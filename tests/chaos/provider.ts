/** The test provider in its own process, which outlives the shop: the chaos run trusts its ledger. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '../support/books';
import { end, startNode } from './processes';
import { findFreePort } from '../support/freePort';

export type Provider = Awaited<ReturnType<typeof startProvider>>;
export type ProviderOptions = {
  program?: string;
  dataDir: string;
  port: number;
  webhookUrl: string;
  /** Port and keys of the process that was killed; new ones unless given. */
  keys?: { STRIPE_SECRET_KEY: string; STRIPE_WEBHOOK_SECRET: string };
  token?: string;
};

/** @param webhookUrl the shop's URL for events */
export async function startProvider(dataDir: string, webhookUrl: string) {
  const { child, control, book, ...provider } = await launchProvider({
    dataDir,
    webhookUrl,
    port: await findFreePort(),
  });
  return {
    ...provider,
    control,
    /** @returns whether the session is paid now; an expired one cannot be paid */
    pay: async (session: string) =>
      ((await control('POST', 'pay', { session })) as { result: string }).result === 'paid',
    ledger: () => book<Ledger>(),
    close: () => end(child, 'SIGKILL'),
  };
}

/** Starts the provider; after a kill with the same folder, port and keys. */
export async function launchProvider({ program = 'dist/server/sandbox.js', ...options }: ProviderOptions) {
  const keys = options.keys ?? { STRIPE_SECRET_KEY: newKey('sk_test_'), STRIPE_WEBHOOK_SECRET: newKey('whsec_') };
  const token = options.token ?? randomUUID();
  const url = `http://127.0.0.1:${options.port}`;
  const child = startNode([program], {
    ...keys,
    DATA_DIR: options.dataDir,
    HOST: '127.0.0.1',
    SANDBOX_PORT: String(options.port),
    SANDBOX_CONTROL_TOKEN: token,
    WEBHOOK_URL: options.webhookUrl,
  });
  while (!child.said().includes('Test payment provider running at')) {
    if (!child.isRunning()) throw new Error(`the payment provider did not start: ${child.said()}`);
    await pause(5);
  }
  const authorization = `Bearer ${keys.STRIPE_SECRET_KEY}`;
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
    token,
    child,
    control,
    /** The provider's whole ledger. */
    book: async <Book>() => (await control('GET', 'ledger')) as Book,
    get: async <Answer>(session: string) =>
      (await (await fetch(`${url}/v1/checkout/sessions/${session}`, { headers: { authorization } })).json()) as Answer,
    post: async <Answer>(path: string, key: string, form: Record<string, string>) => {
      const headers = { authorization, 'idempotency-key': key };
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
      if (response.status === 409) throw new Error('the same call is still at work');
      return (await response.json()) as Answer;
    },
  };
}

const newKey = (prefix: string) => `${prefix}${randomUUID().replaceAll('-', '')}`;
