import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { contactMessages, mails } from '../../../src/server/db/schema/tables';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterEach(async () => {
  await shop.pool.query('delete from attempts');
  await shop.db.delete(mails);
  await shop.db.delete(contactMessages);
});
afterAll(() => shop.close());

const message = { fullName: 'Example Customer', email: 'customer@example.com', phone: '404 555 0100', reason: 'Djar?' };
const send = (body: object, rest: { key?: string; as?: Awaited<ReturnType<TestShop['signIn']>> } = {}) =>
  shop.call('createContactMessage', { body, ...rest });
const kept = () => shop.db.select().from(contactMessages);

describe('a message to the owner', () => {
  test('is stored, and both sides get a mail', async () => {
    const owner = await shop.signIn({ role: 'ROLE_OWNER' });
    expect(await send(message)).toMatchObject({ status: 201, message: 'Message sent', data: {} });
    expect(await kept()).toMatchObject([{ ...message, userId: null, readAt: null }]);
    const told = await shop.db.select().from(mails);
    expect(told).toHaveLength(2);
    for (const recipient of [message.email, owner.email])
      expect(told).toContainEqual(expect.objectContaining({ kind: 'contact_received', recipient, state: 'waiting' }));
  });

  test('needs only an email address and a subject', async () => {
    expect((await send({ email: ' Customer@Example.com ', reason: ' Djar? ' })).status).toBe(201);
    expect(await kept()).toMatchObject([{ fullName: '', email: 'Customer@Example.com', phone: '', reason: 'Djar?' }]);
  });

  test('belongs to the signed-in user', async () => {
    const ana = await shop.signIn();
    await send(message, { as: ana });
    expect(await kept()).toMatchObject([{ userId: ana.userId }]);
  });

  test('sent again with the same key is stored once', async () => {
    const key = randomUUID();
    const answers = await Promise.all([send(message, { key }), send(message, { key }), send(message, { key })]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await kept()).toHaveLength(1);
    expect(await send({ ...message, reason: 'Kani?' }, { key })).toMatchObject({ status: 422 });
  });

  test('keeps its line breaks, while its name and phone are one line each', async () => {
    await send({
      ...message,
      fullName: 'Eve\r\nBcc: victim@example.com',
      phone: '404\n555',
      reason: 'One\nTwo\n\nThree',
    });
    expect(await kept()).toMatchObject([
      { fullName: 'Eve Bcc: victim@example.com', phone: '404 555', reason: 'One\nTwo\n\nThree' },
    ]);
  });
});

describe('an invalid message gets an error for each field', () => {
  const long = (length: number) => 'a'.repeat(length);
  test.each([
    [{ ...message, email: '' }, 'email', 'Email is required'],
    [{ ...message, email: '  ' }, 'email', 'Email is required'],
    [{ ...message, email: undefined }, 'email', 'Email is required'],
    [{ ...message, email: 'customer' }, 'email', 'Invalid email address'],
    [{ ...message, email: 'a@example.com\r\nBcc: b@example.com' }, 'email', 'Invalid email address'],
    [{ ...message, email: `${long(250)}@example.com` }, 'email', 'Invalid email address'],
    [{ ...message, reason: '' }, 'reason', 'Enter a message'],
    [{ ...message, reason: ' \n ' }, 'reason', 'Enter a message'],
    [{ ...message, reason: undefined }, 'reason', 'Enter a message'],
    [{ ...message, reason: long(5001) }, 'reason', 'Use 5000 characters or fewer'],
    [{ ...message, fullName: long(121) }, 'fullName', 'Use 120 characters or fewer'],
    [{ ...message, phone: long(41) }, 'phone', 'Use 40 characters or fewer'],
    [{ ...message, reason: 'My card is 4242 4242 4242 4242.' }, 'reason', "Don't enter a card number here"],
    [{ ...message, phone: '4242424242424242' }, 'phone', "Don't enter a card number here"],
    [{ ...message, reason: 'a\0b' }, 'reason', "The text contains a character we can't save"],
  ])('%j', async (body, field, sentence) => {
    const answer = await send(body);
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ field, message: sentence }] });
    expect(await kept()).toEqual([]);
    expect(shop.logLines.join('')).not.toMatch(/4242 ?4242/);
  });

  test('with all fields at once', async () => {
    const { errors } = await send({});
    expect(errors).toEqual([
      { field: 'email', message: 'Email is required' },
      { field: 'reason', message: 'Enter a message' },
    ]);
  });

  test.each([null, [], 'text', 5, { ...message, email: 5 }, { ...message, reason: ['a'] }, { ...message, more: 'x' }])(
    'with %j is rejected',
    async (body) => {
      const answer = await shop.app.inject({
        method: 'POST',
        url: '/api/public/contact/create',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });
      expect(answer.statusCode).toBe(400);
    },
  );

  test('a message of a megabyte is rejected', async () => {
    expect(await send({ ...message, reason: 'a'.repeat(1_100_000) })).toMatchObject({ status: 413 });
  });
});

describe('robots', () => {
  test('that fill in every field get a person’s response, and nothing is stored', async () => {
    const answer = await send({ ...message, website: 'https://example.com' });
    expect(answer).toMatchObject({ status: 201, message: 'Message sent' });
    expect(await kept()).toEqual([]);
    expect(await shop.db.select().from(mails)).toEqual([]);
  });

  test('and others from one address: of a hundred messages in a minute thirty are stored, the rest get a Retry-After', async () => {
    const answers = [];
    for (let at = 0; at < 100; at++) answers.push(await send({ ...message, reason: `Message ${at}` }));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(70);
    expect(refused[0]).toMatchObject({ status: 429, code: 'too_many_attempts' });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(600);
    expect(await kept()).toHaveLength(30);
    shop.clock.advance(15 * 60_000 + 1000);
    expect((await send(message)).status).toBe(201);
  });
});
