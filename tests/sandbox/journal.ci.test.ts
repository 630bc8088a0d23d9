/** The provider's journal after any kind of end. Kills of the process itself: durability.nightly.test.ts */
import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cardForm, goodCard, openSandbox, orderOf, sendForm, temporaryFolder } from './openSandbox';

const journalOf = (folder: string) => join(folder, 'journal.jsonl');

test('every response is in the journal when it is sent, as a kill would leave it', async () => {
  const first = await openSandbox();
  const open = await first.stripe.checkout.sessions.create(orderOf(), { idempotencyKey: 'open' });
  const paid = await first.stripe.checkout.sessions.create(orderOf());
  expect((await sendForm(paid.url!, cardForm(goodCard))).status).toBe(303);
  const session = await first.stripe.checkout.sessions.retrieve(paid.id);
  const refund = await first.stripe.refunds.create({ payment_intent: session.payment_intent as string, amount: 100 });
  const left = await temporaryFolder();
  await copyFile(journalOf(first.folder), journalOf(left));

  const { stripe } = await openSandbox({ folder: left });
  expect(await stripe.checkout.sessions.retrieve(paid.id)).toMatchObject({ payment_status: 'paid' });
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ amount: 100 });
  const again = await stripe.checkout.sessions.create(orderOf({ expires_at: open.expires_at }), {
    idempotencyKey: 'open',
  });
  expect(again.id).toBe(open.id);
});

/** Every value of every record: ids are random, and may hold any four digits. */
function valuesOf(journal: string): string[] {
  const found: string[] = [];
  for (const line of journal.trimEnd().split('\n')) {
    JSON.parse(line, (_, value: unknown) => (found.push(JSON.stringify(value), String(value)), value));
  }
  return found;
}

test('of a card only its brand and last four digits are stored', async () => {
  const { stripe, folder, close } = await openSandbox();
  const { url } = await stripe.checkout.sessions.create(orderOf());
  await sendForm(url!, cardForm('4000 0000 0000 0002', { cvc: '987', expiry: '11 / 39' }));
  await sendForm(url!, cardForm('4111 1111 1111 1111', { cvc: '987', expiry: '11 / 39' }));
  await sendForm(url!, cardForm(goodCard, { cvc: '987', expiry: '11 / 39' }));
  await close();
  const journal = await readFile(journalOf(folder), 'utf8');
  expect(journal).toContain('"last4":"4242"');
  for (const card of [goodCard, '4000 0000 0000 0002', '4111 1111 1111 1111']) {
    for (const typed of [card, card.replaceAll(' ', ''), card.slice(0, 14)]) expect(journal).not.toContain(typed);
  }
  for (const typed of ['"987"', '11 / 39', '1139']) expect(valuesOf(journal)).not.toContain(typed);
});

test.for(['[{"put":["sessions",{"id":"cs_te', '[{"put"\n'])(
  'a last line half written by a crash (%s) is cut off',
  async (torn) => {
    const { stripe, folder, close } = await openSandbox();
    const { id } = await stripe.checkout.sessions.create(orderOf());
    await close();
    const whole = await readFile(journalOf(folder), 'utf8');
    await appendFile(journalOf(folder), torn);
    const again = await openSandbox({ folder });
    expect(await readFile(journalOf(folder), 'utf8')).toBe(whole);
    expect(await again.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
    expect((await again.stripe.checkout.sessions.create(orderOf())).status).toBe('open');
  },
);

test('a journal damaged in the middle stops the start', async () => {
  const { stripe, folder, close } = await openSandbox();
  await stripe.checkout.sessions.create(orderOf());
  await close();
  const sound = await readFile(journalOf(folder), 'utf8');
  await writeFile(journalOf(folder), `nonsense\n${sound}`);
  await expect(openSandbox({ folder })).rejects.toThrow(/^The journal .* is damaged at byte 0\.$/);
});

test('the lock of a dead process is ignored, even if another process has its number now', async () => {
  const folder = await temporaryFolder();
  const dead = { instance: 'before', started: 'an earlier boot:1' };
  await writeFile(join(folder, 'lock.7'), JSON.stringify({ ...dead, pid: process.pid }));
  await (await openSandbox({ folder })).close();
  await writeFile(join(folder, 'lock.9'), JSON.stringify({ ...dead, pid: process.ppid }));
  await (await openSandbox({ folder })).close();
});

test('a moved clock survives a restart', async () => {
  const { control, folder, close } = await openSandbox();
  await control('clock', { advanceMs: 3_600_000 });
  await close();
  const { stripe } = await openSandbox({ folder });
  const { created } = await stripe.checkout.sessions.create(
    orderOf({ expires_at: Math.floor(Date.now() / 1000) + 7200 }),
  );
  expect(created).toBeGreaterThan(Date.now() / 1000 + 3590);
});
