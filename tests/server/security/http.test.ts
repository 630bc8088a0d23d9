/** The attack cases about HTTP itself. Rule: docs/rules/failures.md, HTTP and load */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkEveryMs } from '../../../src/server/process/listen';
import type { OperationId } from '../../../src/shared/contract';
import { productFieldNames, productFields } from '../../../src/shared/productFields';
import { withBelongings, type Belongings } from '../../support/belongings';
import { contractOperations, type ContractOperation } from '../../support/contract';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let ana: Belongings;
let owner: Person;
beforeAll(async () => {
  shop = await openShop();
  ana = await withBelongings(shop);
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterAll(() => shop.close());

const reads = [...contractOperations.values()].filter(
  ({ method, responses }) => method === 'GET' && !responses['200']?.content?.['text/event-stream'],
);

/** Any GET, with Ana's own ids where it needs an id. */
function read({ operationId, parameters = [] }: ContractOperation, as: Person | undefined) {
  const known: Record<string, string> = { ...ana.ids, ...(as && { userId: as.userId, user_id: as.userId }) };
  const values = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter(({ in: where, name, required }) => where === place && (required || name in known))
        .map(({ name, example }) => [name, known[name] ?? String(example)]),
    );
  return shop.call(operationId, { as, path: values('path') as never, query: values('query') });
}

describe('cacheability', () => {
  test.each(reads)('$operationId is no-store, or public and the same for all', async (operation) => {
    const { headers, status } = await read(operation, operation.path.startsWith('/admin/') ? owner : ana.as);
    const control = String(headers['cache-control']);
    if (operation['x-roles'].includes('visitor') && status < 400) {
      expect(control).toMatch(/^no-(?:cache|store)/);
      expect(headers['set-cookie']).toBeUndefined();
    } else expect(control).toBe('no-store');
  });

  test('a personal response has no URL that looks like a file’s', async () => {
    const headers = { authorization: `Bearer ${ana.as.token}` };
    for (const tail of ['/x.css', '.css', ';x.png', '/..%2fx.js', '%2ex.css', '?x.css', '%00.css', '%0a.css']) {
      const answer = await shop.app.inject({ url: `/api/public/users/${ana.as.userId}${tail}`, headers });
      expect([400, 404], tail).toContain(answer.statusCode);
      expect(answer.headers['cache-control'], tail).toBe('no-store');
      expect(answer.body, tail).not.toContain(ana.as.email);
    }
  });

  const claims = {
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'gopher',
    'x-forwarded-for': '6.6.6.6',
    'x-real-ip': '6.6.6.6',
    forwarded: 'host=evil.test;for=6.6.6.6',
    'x-original-url': '/api/admin/users',
    'x-host': 'evil.test',
  };
  test('a client’s forwarding headers change nothing', async () => {
    for (const url of ['/api/public/products', '/api/admin/users', '/nowhere', '/healthz']) {
      const [plain, claimed] = [await shop.app.inject({ url }), await shop.app.inject({ url, headers: claims })];
      expect(claimed.statusCode).toBe(plain.statusCode);
      expect(claimed.body + JSON.stringify(claimed.headers)).not.toMatch(/evil\.test|6\.6\.6\.6|gopher/);
    }
  });
});

test('no GET changes anything for any caller, except that a list’s export is logged', async () => {
  const before = await dump();
  for (const operation of reads.filter(({ operationId }) => operationId !== 'capturePayment'))
    for (const person of [undefined, ana.as, owner]) await read(operation, person);
  expect(await dump()).toEqual(before);
});

/** Every table as one hash, except counters of attempts, which are meant to change. */
async function dump(): Promise<Record<string, string>> {
  const { rows: tables } = await shop.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables.filter((table) => table.name !== 'attempts')) {
    const { rows } = await shop.pool.query<{ hash: string }>(
      `select md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash from "${name}" t
       where not (t::text like '%.exported,export,%' and '${name}' = 'audit_log')`,
    );
    hashes[name] = rows[0]?.hash ?? '';
  }
  return hashes;
}

test('every response with a body has its type and charset', async () => {
  const urls = [
    '/api/public/products',
    '/api/public/categories',
    '/api/nothing',
    '/api/admin/users',
    '/healthz',
    '/%zz',
  ];
  for (const url of urls) {
    const { headers } = await shop.app.inject({ url });
    expect(String(headers['content-type']), url).toMatch(/^application\/(?:problem\+)?json; charset=utf-8$/);
  }
});

describe('other methods', () => {
  test.each(['TRACE', 'CONNECT', 'OPTIONS', 'PROPFIND', 'PATCH', 'MADEUP'])('%s gets no data', async (method) => {
    const target = method === 'CONNECT' ? 'evil.test:443' : '/api/public/products';
    const answer = await raw(
      `${method} ${target} HTTP/1.1\r\nHost: localhost:3000\r\nX-Echo: say-it-back\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).not.toMatch(/^HTTP\/1\.1 [23]/);
    expect(answer).not.toContain('say-it-back');
  });

  test('HTTP/1.0 is answered, and without keeping the connection', async () => {
    const answer = await raw('GET /healthz HTTP/1.0\r\nHost: localhost:3000\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.toLowerCase()).toContain('connection: close');
  });
});

describe('request smuggling', () => {
  const smuggled: [string, string][] = [
    [
      'a length and chunks',
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/admin/users HTTP/1.1\r\n',
    ],
    ['a blank before the colon', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['a tab before the word', 'Transfer-Encoding:\tidentity, chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n'],
    [
      'two encodings',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
    ],
    ['a folded header', 'Transfer-Encoding:\r\n chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n'],
    ['a bare line end', 'X: a\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n'],
    ['two hosts', 'Host: evil.test\r\nContent-Length: 0\r\n\r\n'],
    ['a negative length', 'Content-Length: -1\r\n\r\n'],
  ];
  test.each(smuggled)('%s: one error, and the connection is closed', async (_, rest) => {
    const answer = await raw(
      `POST /api/auth/logout HTTP/1.1\r\nHost: localhost:3000\r\nContent-Type: application/json\r\n${rest}`,
    );
    expect(answer.match(/HTTP\/1\.1 \d{3}/g) ?? []).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('internals', () => {
  const hidden = `/.git/config /.env /.env.local /package.json /package-lock.json /src/server/main.ts /metrics /docs
    /api/docs /openapi.yaml /api/openapi.json /server-status /.well-known/../.env /data/postgres/PG_VERSION /mails
    /_sandbox/ledger /api/../package.json /pictures/../../package.json /assets/..%2f..%2fpackage.json`;
  test.each(hidden.trim().split(/\s+/))('%s does not exist', async (url) => {
    expect([400, 404]).toContain((await shop.app.inject({ url })).statusCode);
  });
});

test('what only staff may know of a product or a user reaches no customer', async () => {
  await shop.pool.query(`update products set unit_cost_cents = 123, shipping_grams = 160, supplier = 'Mill',
    tags = '{grill}', shelf_place = 'B-04'`);
  const ofStaff = productFieldNames.filter((name) => productFields[name].isForStaff);
  const secrets = /costPrice|passwordHash|password_hash|totp|emailKey|tokenHash/;
  for (const operation of reads) {
    const { body } = await read(operation, ana.as);
    expect(JSON.stringify(body), operation.operationId satisfies OperationId).not.toMatch(secrets);
    expect(JSON.stringify(body)).not.toContain(owner.email);
    for (const name of ofStaff) expect(JSON.stringify(body), operation.operationId).not.toContain(`"${name}":`);
  }
});

/** What the shop sends on a connection until it closes it. */
function raw(request: string): Promise<string> {
  const { port } = new URL(shop.url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
    socket.setTimeout(8000, () => socket.destroy());
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
    socket.on('close', () => resolve(received));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(received) : reject(error),
    );
  });
}

test('a slow sender gets 15 seconds at most; tests/security/slow.mjs tries it with a thousand', () => {
  const { headersTimeout, requestTimeout } = shop.app.server;
  for (const limit of [headersTimeout, requestTimeout]) {
    expect(limit).toBeGreaterThan(0);
    expect(limit + checkEveryMs).toBeLessThanOrEqual(15_000);
  }
});
