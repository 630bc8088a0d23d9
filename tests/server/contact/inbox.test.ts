import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notKept } from '../../../src/server/audit/service';
import { mails } from '../../../src/server/db/schema/tables';
import { defaultSettings } from '../../../src/shared/settings';
import { mailsTo } from '../../support/accounts';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Example Admin' });
});
afterAll(() => shop.close());
beforeEach(() => shop.pool.query('delete from attempts'));

/** A message as a visitor sends it. */
async function received(fields: object = {}) {
  const email = `${randomUUID()}@example.com`;
  await shop.call('createContactMessage', { body: { email, reason: 'Do you sell djar by the kilo?', ...fields } });
  const [message] = await list({ size: 1 });
  return { email, path: { messageId: message?.id ?? '' } };
}
const list = async (query: object) =>
  (await shop.call('listMessages', { as: admin, query: { ...query } })).data.messages.content;
const reply = (path: { messageId: string }, text: string, key?: string) =>
  shop.call('replyToMessage', { as: admin, path, body: { text }, ...(key && { key }) });
const setState = (path: { messageId: string }, state: string) =>
  shop.call('setMessageState', { as: admin, path, body: { state } });

describe('the inbox', () => {
  test('shows each message in one state, and finds it by state and by its words', async () => {
    const tag = randomUUID().slice(0, 8);
    const [one, two, three] = [
      await received({ fullName: `Awa ${tag}` }),
      await received({ reason: `Hello ${tag}, 100% sure` }),
      await received({ email: `${tag}@example.com` }),
    ];
    await setState(two.path, 'read');
    await setState(three.path, 'answered');
    const found = async (query: object) => (await list({ q: tag.toUpperCase(), ...query })).map(({ id }) => id);
    const [first, second, third] = [one, two, three].map(({ path }) => path.messageId);
    expect(await found({})).toEqual([third, second, first]);
    expect(await found({ state: 'new' })).toEqual([first]);
    expect(await found({ state: 'read' })).toEqual([second]);
    expect(await found({ state: 'answered' })).toEqual([third]);
    expect(await list({ q: '100% sure' })).toHaveLength(1);
    expect(await list({ q: '100_ sure' })).toEqual([]);
    expect(await found({ page: 1, size: 2 })).toEqual([first]);
  });

  test('finds what a customer wrote while logged in, and what came from the same email', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    const write = (email: string, as?: Person) =>
      shop.call('createContactMessage', { body: { email, reason: `From ${email}` }, ...(as && { as }) });
    await write('work@example.com', ana);
    await write(ana.email.toUpperCase());
    await write(ben.email);
    const of = async ({ userId }: Person) => (await list({ customer: userId })).map(({ email }) => email);
    expect(await of(ana)).toEqual([ana.email.toUpperCase(), 'work@example.com']);
    expect(await of(ben)).toEqual([ben.email]);
    expect(await list({ customer: randomUUID() })).toEqual([]);
    expect(await list({ customer: ana.userId, state: 'answered' })).toEqual([]);
  });

  test('records when a message was first read, and can mark it as new again', async () => {
    const { path } = await received();
    const read = (await setState(path, 'read')).data.contactMessage;
    expect(read).toMatchObject({ state: 'read', readAt: expect.any(String), answeredAt: null });
    shop.clock.advance(60_000);
    expect((await setState(path, 'read')).data.contactMessage.readAt).toBe(read.readAt);
    const answered = (await setState(path, 'answered')).data.contactMessage;
    expect(answered).toMatchObject({ state: 'answered', readAt: read.readAt, answeredAt: expect.any(String) });
    expect((await setState(path, 'new')).data.contactMessage).toMatchObject({ readAt: null, answeredAt: null });
    const { rows } = await shop.pool.query('select before, after from audit_log where target_id = $1 order by id', [
      path.messageId,
    ]);
    expect(rows).toEqual([
      { before: { state: 'new' }, after: { state: 'read' } },
      { before: { state: 'read' }, after: { state: 'answered' } },
      { before: { state: 'answered' }, after: { state: 'new' } },
    ]);
  });
});

describe('a reply', () => {
  test('is mailed once for one key, and the message is marked as answered', async () => {
    const { email, path } = await received();
    const key = randomUUID();
    const first = await reply(path, '  Yes, we do.\n\nShall we keep a kilo? ', key);
    expect(first).toMatchObject({ status: 201, message: 'Reply sent' });
    await reply(path, '  Yes, we do.\n\nShall we keep a kilo? ', key);
    const { data } = await shop.call('getMessage', { as: owner, path });
    expect(data).toMatchObject({
      contactMessage: { state: 'answered' },
      replies: [{ text: 'Yes, we do.\n\nShall we keep a kilo?', by: 'Example Admin', mailState: 'waiting' }],
    });
    const [received_, answer, ...others] = await mailsTo(shop, email);
    expect(received_).toContain('We got your message');
    expect(answer).toContain('Shall we keep a kilo?');
    expect(others).toEqual([]);
    expect(answer).not.toContain('djar'); // text from a stranger is not mailed to an address from a stranger
    expect(answer).not.toContain('Auto-Submitted');
    const sent = (await shop.call('getMessage', { as: admin, path })).data.replies[0]?.mailState;
    expect(sent).toBe('not_sent'); // mail is written to a file: there is no mail server
  });

  test('is in the audit log without its words', async () => {
    const { path } = await received();
    await reply(path, 'Something private');
    const { rows } = await shop.pool.query('select action, after from audit_log where target_id = $1 order by id', [
      path.messageId,
    ]);
    expect(rows).toEqual([
      { action: 'message.replied', after: { text: notKept } },
      { action: 'message.state_changed', after: { state: 'answered' } },
    ]);
  });

  test('cannot inject a header or another recipient, whatever it contains', async () => {
    const { email, path } = await received({ fullName: 'Ana\r\nBcc: all@example.com' });
    await shop.call('updateSettings', {
      as: owner,
      body: { ...defaultSettings, shopName: 'Spices\r\nBcc: all@example.com', contactEmail: 'owner@shop.example' },
    });
    await reply(path, 'Hello\r\nBcc: all@example.com\r\n\r\n.\r\nMAIL FROM:<a@example.com>');
    const [, answer = ''] = await mailsTo(shop, email);
    const [head = ''] = answer.split(/\r?\n\r?\n/);
    expect(head).not.toMatch(/^bcc:/im);
    expect(head).toMatch(/^Reply-To: owner@shop\.example$/im);
    expect(head.match(/^to: .*$/gim)).toEqual([`To: ${email}`]);
    const { rows } = await shop.pool.query('select 1 from mails where recipient like $1', ['all@%']);
    expect(rows).toEqual([]);
  });

  test.each([
    ['', 'Enter your reply'],
    ['   ', 'Enter your reply'],
    ['4111 1111 1111 1111', "Don't enter a card number here"],
    ['x'.repeat(5001), 'Use 5000 characters or fewer'],
  ])('%.30j is rejected, and nothing is sent', async (text, message) => {
    const { email, path } = await received();
    expect(await reply(path, text)).toMatchObject({ status: 400, errors: [{ field: 'text', message }] });
    const rows = await shop.db.select({ kind: mails.kind }).from(mails).where(eq(mails.recipient, email));
    expect(rows).toEqual([{ kind: 'contact_received' }]);
  });
});
