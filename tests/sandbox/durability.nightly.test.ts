import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { runProviderKills } from '../chaos/providerKills';
import { isNightly } from '../support/nightly';
import { toldSeed } from '../support/random';
import {
  cardForm,
  controlOf,
  controlToken,
  goodCard,
  openSandbox,
  orderOf,
  secretKey,
  sendForm,
  stripeAt,
  temporaryFolder,
  webhookSecret,
} from './openSandbox';

const built = '.cache/sandbox-under-test';
const journalOf = (folder: string) => join(folder, 'journal.jsonl');

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: 'src/sandbox/main.ts', target: 'node20', outDir: built, emptyOutDir: true },
  });
});

/** The provider as a separate process, as `main.ts` starts it. */
async function startProcess(dataFolder: string) {
  const child = spawn(process.execPath, [join(built, 'main.js')], {
    env: {
      DATA_DIR: dataFolder,
      SANDBOX_PORT: '0',
      HOST: '127.0.0.1',
      SANDBOX_CONTROL_TOKEN: controlToken,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  const line = await Promise.race([
    once(child.stdout, 'data').then(([chunk]) => String(chunk)),
    ended.then(([code]) => Promise.reject(new Error(`ended with ${code}: ${errors}`))),
  ]);
  const url = /http:\S+/.exec(line)![0];
  return {
    child,
    ended,
    url,
    stripe: stripeAt(Number(new URL(url).port)),
    control: controlOf(url),
    errors: () => errors,
  };
}

test('everything answered survives a kill', async () => {
  const folder = await temporaryFolder();
  const first = await startProcess(folder);
  const open = await first.stripe.checkout.sessions.create(orderOf(), { idempotencyKey: 'open' });
  const paid = await first.stripe.checkout.sessions.create(orderOf());
  expect((await sendForm(paid.url!, cardForm(goodCard))).status).toBe(303);
  const session = await first.stripe.checkout.sessions.retrieve(paid.id);
  const refund = await first.stripe.refunds.create({ payment_intent: session.payment_intent as string, amount: 100 });
  const off = { amount_off: 100, currency: 'usd' };
  await first.stripe.coupons.create({ id: 'first', ...off });
  const creating = Array.from({ length: 20 }, () => first.stripe.checkout.sessions.create(orderOf()).catch(() => null));
  const makingCoupons = Array.from({ length: 20 }, () => first.stripe.coupons.create(off).catch(() => null));
  first.child.kill('SIGKILL');
  await first.ended;
  const created = (await Promise.all(creating)).filter((answer) => answer !== null);

  const { stripe, child, ended } = await startProcess(folder);
  expect(await stripe.checkout.sessions.retrieve(paid.id)).toEqual(expect.objectContaining({ payment_status: 'paid' }));
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ amount: 100 });
  for (const { id } of created) expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
  expect(await stripe.coupons.retrieve('first')).toMatchObject({ amount_off: 100 });
  for (const coupon of await Promise.all(makingCoupons))
    if (coupon) expect(await stripe.coupons.retrieve(coupon.id)).toMatchObject({ amount_off: 100 });
  const again = await stripe.checkout.sessions.create(orderOf({ expires_at: open.expires_at }), {
    idempotencyKey: 'open',
  });
  expect(again.id).toBe(open.id);

  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});

test('killed repeatedly at work it loses nothing and does nothing twice, and all events arrive', async () => {
  const dataDir = await temporaryFolder();
  const totals = await runProviderKills({
    program: join(built, 'main.js'),
    dataDir,
    kills: isNightly ? 60 : 3,
    seed: toldSeed(),
  });
  expect(totals.wrong).toEqual([]);
  expect(totals.confirmed).toBeGreaterThan(0);
});

test('a journal with mostly old states is rewritten at the next start, and nothing is lost', async () => {
  const { stripe, control, folder, close } = await openSandbox();
  const { id } = await stripe.checkout.sessions.create(orderOf(), { idempotencyKey: 'kept' });
  for (let attempt = 0; attempt < 250; attempt += 1) {
    // a card that asks its holder, repeatedly: two records change each time, and no new one is created
    await control('pay', { session: id, card: '4000 0025 0000 3155' });
  }
  await control('pay', { session: id });
  const before = await control('ledger');
  await close();
  const long = (await readFile(journalOf(folder), 'utf8')).length;
  const again = await openSandbox({ folder });
  expect(await again.control('ledger')).toEqual(before);
  await again.close();
  expect((await readFile(journalOf(folder), 'utf8')).length).toBeLessThan(long / 5);
  const { stripe: later, control: controlLater } = await openSandbox({ folder });
  expect(await controlLater('ledger')).toEqual(before);
  const { expires_at } = await later.checkout.sessions.retrieve(id);
  expect((await later.checkout.sessions.create(orderOf({ expires_at }), { idempotencyKey: 'kept' })).id).toBe(id);
});

test('a second provider on the same folder is rejected, in this process or another', async () => {
  const { folder } = await openSandbox();
  await expect(openSandbox({ folder })).rejects.toThrow(/^Another test payment provider is already using the folder/);

  const data = await temporaryFolder();
  await startProcess(data);
  await expect(openSandbox({ folder: join(data, 'sandbox') })).rejects.toThrow(/already using the folder/);
  await expect(startProcess(data)).rejects.toThrow(/^ended with 1: Another test payment provider is already using/);
});

test('of many parallel starts on one folder exactly one succeeds', async () => {
  const folder = await temporaryFolder();
  for (let round = 0; round < 5; round += 1) {
    const starts = await Promise.allSettled(Array.from({ length: 6 }, () => openSandbox({ folder })));
    const opened = starts.filter((start) => start.status === 'fulfilled');
    expect(opened).toHaveLength(1);
    await opened[0]!.value.close();
  }
});
