/** The attack cases about accounts and rights that need a whole shop. Rule: docs/rules/failures.md, Accounts */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { landingPage, ownPath } from '../../../src/shared/auth';
import { holdsCardNumber } from '../../../src/shared/cardNumbers';
import { bearer } from '../../support/accounts';
import { logIn, newcomer, openAccount } from '../../support/auth';
import { fuzzStrings } from '../../support/hostile';
import { contractOperations, exampleOf } from '../../support/contract';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

test('none of the listed redirects leads out of the shop', () => {
  const targets = fuzzStrings.redirect.map((part) => part.replaceAll('{target}', 'evil.test'));
  for (const target of [...targets, ...targets.map((part) => part.slice(part.indexOf('=') + 1))]) {
    const leads = ownPath(target);
    if (leads !== undefined) expect(new URL(leads, 'https://shop.test').origin, target).toBe('https://shop.test');
  }
  expect(landingPage('ROLE_CUSTOMER')).toBe('/cart');
});

describe('a card number', () => {
  test.each(['4242424242424242', '4242 4242 4242 4242', 'pay 5555-5555-5555-4444 now', '378282246310005'])(
    '%s is recognized',
    (text) => expect(holdsCardNumber(text)).toBe(true),
  );
  test.each([
    '4242424242424241',
    '404 555 0100',
    '12345678901',
    'order 1001 of 2026-03-02',
    '30303',
    '+1 (404) 555-0100',
    'af118913-8899-4799-9175-d376302abc88',
    'my order /customer/order/12678662-1037-4ed6-92e6-76fe79b90b19',
  ])('%s is not', (text) => expect(holdsCardNumber(text)).toBe(false));

  test('typed as name, street, city, customer or message is rejected by name, and is not in the log', async () => {
    shop.logLines.length = 0;
    const card = '4242 4242 4242 4242';
    const sentence = "Don't enter a card number here";
    for (const field of ['fullName', 'street', 'city']) {
      const answer = await shop.call('register', { body: newcomer({ [field]: card }) });
      expect(answer).toMatchObject({ status: 400, errors: [{ field, message: sentence }] });
    }
    const message = await shop.call('createContactMessage', { body: { email: 'a@example.com', reason: card } });
    expect(message).toMatchObject({ status: 400, errors: [{ field: 'reason', message: sentence }] });
    const person = await shop.signIn();
    const order = await shop.call('placeOrder', {
      as: person,
      path: { userId: person.userId, cartId: person.cartId },
      body: { customer: card, deliveryAddress: { street: '1 A', city: 'B', state: 'GA', postalCode: '30303' } },
    });
    expect(order).toMatchObject({ status: 400, errors: [{ field: 'customer', message: sentence }] });
    expect(shop.logLines.join('')).not.toMatch(/4242 ?4242/);
  });
});

test('unknown fields are rejected by name on every write, and change nothing', async () => {
  const extra = ['role', 'isEnabled', 'userId', 'price', 'status', 'passwordHash', 'totalAmount', 'isAdmin'];
  const writes = [...contractOperations.values()].filter(
    ({ requestBody, 'x-roles': roles }) => requestBody?.content['application/json'] && roles.includes('customer'),
  );
  expect(writes.length).toBeGreaterThan(12);
  for (const operation of writes) {
    const { operationId, parameters = [] } = operation;
    const { userId, token } = await shop.signIn();
    const example = exampleOf(operation) ?? {};
    for (const field of extra.filter((name) => !Object.hasOwn(example, name))) {
      const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const values = names.map((name) => [name, name === 'userId' ? userId : crypto.randomUUID()] as const);
      const answer = await shop.call(operationId, {
        path: Object.fromEntries(values) as never,
        headers: { authorization: `Bearer ${token}` },
        body: { ...example, [field]: 'ROLE_OWNER' },
      });
      expect(answer.status, `${operationId} ${field}`).toBe(400);
    }
  }
  const { rows } = await shop.pool.query(`select count(*)::int as staff from users where role <> 'ROLE_CUSTOMER'`);
  expect(rows).toEqual([{ staff: 0 }]);
}, 60_000);

test('the password in a body is in no table, not even with the responses stored under keys', async () => {
  const secret = 'a password nobody else has 77';
  const account = await openAccount(shop, { password: secret, confirmPassword: secret });
  const ana = await logIn(shop, account);
  const changed = await shop.call('changePassword', {
    path: { userId: account.id },
    headers: bearer(ana),
    key: crypto.randomUUID(),
    body: { currentPassword: secret, password: `${secret} too`, confirmPassword: `${secret} too` },
  });
  expect(changed.status).toBe(200);
  const { rows: tables } = await shop.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const { rows } = await shop.pool.query<{ text: string }>(`select t::text as text from "${name}" t`);
    expect(
      rows.filter(({ text }) => text.includes('nobody else has')),
      name,
    ).toEqual([]);
  }
});

describe('the source code', () => {
  const server = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(path.join('src/server', file), 'utf8') }));

  test('builds no SQL from strings: sql.raw is not used, and queries are templates with parameters', () => {
    const joined = server.filter(({ text }) => /sql\.raw|\.query\(`[^`]*\$\{/.test(text));
    // names of channels, roles and tables, constants of these files or quoted: parameters are not allowed there
    const named = [
      'backup/loadRows.ts',
      'backup/startEpoch.ts',
      'backup/takeBackup.ts',
      'db/core/changeBus.ts',
      'db/embedded/embeddedPostgres.ts',
      'db/roles/appLogin.ts',
      'db/roles/appRole.ts',
    ];
    expect(joined.map(({ file }) => file).sort()).toEqual(named);
  });

  test('starts other programs only for the embedded database, and never with input from a request', () => {
    const starting = server.filter(({ text }) => text.includes("'node:child_process'"));
    for (const { file } of starting) expect(file).toMatch(/^db\/embedded\/(?:embeddedPostgres|postgres\w+)\.ts$/);
  });

  test('evaluates no text as code', () => {
    for (const { file, text } of server) expect(text, file).not.toMatch(/\beval\(|new Function\(|setTimeout\(['"`]/);
  });
});
