import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cardForm, goodCard, openMerchant, openSandbox, orderOf, sendForm, until } from './openSandbox';

type Ledger = { sessions: { id: string }[]; deliveries: { state: string }[] };

/** Until it is fixed, either half of each line is written before the disk is full, or all is written and lost. */
async function fillDisk(where: 'appendFile' | 'datasync' = 'appendFile') {
  const handle = await open('package.json', 'r');
  const files = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const full = vi.spyOn(files, where).mockImplementation(async function (this: FileHandle, text?: unknown) {
    if (typeof text === 'string') await this.write(text.slice(0, text.length / 2));
    throw noSpace;
  });
  onTestFinished(() => full.mockRestore());
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => errors.mockRestore());
  return { free: () => full.mockRestore(), errors };
}

test.for(['appendFile', 'datasync'] as const)(
  'with the disk full (%s) writes are rejected and leave nothing, reads are answered, and it recovers by itself',
  async (where) => {
    const publicUrl = 'http://pay.example';
    const { stripe, control, folder, close, url } = await openSandbox({ publicUrl });
    const kept = await stripe.checkout.sessions.create(orderOf());
    const page = `${url}/c/pay/${kept.id}`;
    const disk = await fillDisk(where);
    const creating = () =>
      stripe.checkout.sessions.create(orderOf({ expires_at: kept.expires_at }), { idempotencyKey: 'new' });
    await expect(creating()).rejects.toMatchObject({ statusCode: 503 });
    await expect(Promise.all([creating(), stripe.refunds.create({ payment_intent: 'pi_none' })])).rejects.toThrow();
    expect((await sendForm(page, cardForm(goodCard))).status).toBe(503);
    expect((await sendForm(page, cardForm('4000 0000 0000 0002'))).status).toBe(503);
    expect(await stripe.checkout.sessions.retrieve(kept.id)).toMatchObject({ status: 'open', payment_intent: null });
    expect((await stripe.checkout.sessions.list()).data.map(({ id }) => id)).toEqual([kept.id]);
    expect(await (await fetch(page)).text()).toContain('Pay with card');

    disk.free();
    const made = await creating();
    expect((await creating()).id).toBe(made.id);
    expect((await sendForm(page, cardForm(goodCard))).status).toBe(303);
    const before = await control<Ledger>('ledger');
    expect(before.sessions.map(({ id }) => id)).toEqual([kept.id, made.id]);
    await close();
    const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8');
    for (const line of journal.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    const again = await openSandbox({ folder, publicUrl });
    expect(await again.control('ledger')).toEqual(before);
  },
);

test('timed work is done once there is space again', async () => {
  const merchant = await openMerchant();
  let movedMs = 0;
  const { stripe, control } = await openSandbox({
    webhookUrl: merchant.url,
    now: () => new Date(Date.now() + movedMs),
  });
  const { id } = await stripe.checkout.sessions.create(orderOf());
  const later = await stripe.checkout.sessions.create(orderOf({ expires_at: Math.floor(Date.now() / 1000) + 36_000 }));
  const disk = await fillDisk();
  movedMs = 40 * 60_000;
  await until(() => disk.errors.mock.calls.length > 0); // it was tried
  expect((await stripe.checkout.sessions.retrieve(later.id)).status).toBe('open');
  expect(merchant.posts).toEqual([]);
  disk.free();
  await until(async () => (await stripe.checkout.sessions.retrieve(id)).status === 'expired');
  await until(() => merchant.posts.length === 1);
  await until(async () => (await control<Ledger>('ledger')).deliveries.every(({ state }) => state === 'delivered'));
});

test('an event that arrived while nothing could be recorded is not sent in a loop', async () => {
  const merchant = await openMerchant();
  const { stripe, control } = await openSandbox({ webhookUrl: merchant.url });
  const { id } = await stripe.checkout.sessions.create(orderOf());
  await control('deliveries', { mode: 'hold' });
  await control('expire', { session: id });
  const disk = await fillDisk();
  await control('deliveries', { mode: 'normal' });
  await until(() => merchant.posts.length > 0);
  await expect(stripe.checkout.sessions.create(orderOf())).rejects.toMatchObject({ statusCode: 503 });
  disk.free();
  await until(async () => (await control<Ledger>('ledger')).deliveries.every(({ state }) => state === 'delivered'));
  expect(merchant.posts).toHaveLength(1);
});
