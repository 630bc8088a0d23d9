import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox';
import { begin, ownFolder } from '../../../src/server/process/earlyStart';
import { readConfig, type Config } from '../../../src/server/core/config';
import { findEmbeddedPostgres } from '../../../src/server/db/embedded/embeddedPostgres';
import catalog from '../../../src/server/db/seed/catalog.json' with { type: 'json' };
import { withDemoSizes } from '../../../src/server/db/seed/demoSizes';
import { bannerOf } from '../../../src/server/process/banner';
import { startShop, type Shop } from '../../../src/server/process/shop';
import { defaultSettings } from '../../../src/shared/settings';
import { newcomer } from '../../support/auth';
import { delivery } from '../../support/buying';
import { callerAt } from '../../support/caller';
import { onServer, urlOf, withDatabase } from '../../support/globalSetup';
import { findFreePort } from '../../support/freePort';

/** Whole shops as a process starts them, sharing one initially empty database and one payment provider. */
const { config: server } = inject('database');
const database = `shop_start_${randomUUID().replaceAll('-', '')}`;
const direct = withDatabase(server, database);
const keys = { secretKey: `sk_test_${randomUUID().slice(0, 8)}`, webhookSecret: `whsec_${randomUUID().slice(0, 8)}` };
const logger = pino({ level: 'silent' });
const email = 'owner@shop.example.com';

let home: string;
let sandbox: Sandbox;
let shops: Shop[] = [];
let ownerPassword: string;
beforeAll(async () => {
  await onServer(server, `create database ${database}`);
  home = await mkdtemp(path.join(tmpdir(), 'shop-start-'));
  await symlink(path.resolve('src'), path.join(home, 'src')); // migrations and seed, independent of the current build
  sandbox = await startSandbox({
    ...keys,
    port: 0,
    hosts: ['127.0.0.1'],
    folder: path.join(home, 'sandbox'),
    webhookUrl: undefined,
    shopName: 'The shop',
  });
  const first = await start();
  ownerPassword = first.newOwnerPassword ?? '';
  await first.close();
});
afterEach(async () => {
  await Promise.all(shops.map((shop) => shop.close()));
  shops = [];
});
afterAll(async () => {
  await sandbox.close();
  await onServer(server, `drop database if exists ${database} with (force)`);
  await rm(home, { recursive: true, force: true });
});

function configOf(changes: Partial<Config> = {}): Config {
  const config = readConfig({
    HOST: '127.0.0.1',
    DATA_DIR: path.join(home, randomUUID()),
    DATABASE_URL: urlOf(direct),
    DEMO_CATALOG: 'on',
    OWNER_EMAIL: email,
    PAYMENTS: 'sandbox',
    SANDBOX_URL: sandbox.url,
    STRIPE_SECRET_KEY: keys.secretKey,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
  });
  return { ...config, port: 0, ...changes }; // any free port, which PORT cannot express
}

const start = () => startShop(configOf(), home, logger);
const addressOf = ({ app }: Shop) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const logIn = (shop: Shop, password: string) =>
  fetch(`${addressOf(shop)}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

test('a restarted one creates nothing again, and the owner’s password still works', async () => {
  shops = [await start()];
  expect(shops[0]?.newOwnerPassword).toBeUndefined();
  expect(await count('users')).toBe(1);
  expect(await count('products')).toBe(withDemoSizes(catalog.products).length);
  expect((await logIn(shops[0]!, ownerPassword)).status).toBe(200);
});

test('a start warns that the contact details are the sample’s, until they are changed', async () => {
  const first = await start();
  shops.push(first);
  const sentence =
    'Customers still see the sample contact info: hello@example.com, (555) 010-0142. Update it in Settings: http://localhost:3000/admin/settings/general';
  expect(bannerOf(configOf(), first)).toContain(sentence);

  const { data } = (await (await logIn(first, ownerPassword)).json()) as { data: { authResponse: { jwt: string } } };
  const settings = { ...defaultSettings, contactEmail: email, contactPhone: '' };
  const changed = await fetch(`${addressOf(first)}/api/admin/settings`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${data.authResponse.jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  expect(changed.status).toBe(200);
  const second = await start();
  shops.push(second);
  expect(bannerOf(configOf(), second)).toContain('Your shop is running at http://localhost:3000');
  expect(bannerOf(configOf(), second)).not.toContain('contact info');
});

test('those without a common folder accept each other’s logins with SESSION_SECRET, and without it warn that they do not', async () => {
  const said: string[] = [];
  const listening = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
  const sentences = () =>
    said.filter((line) => line.includes('SESSION_SECRET')).map((line) => JSON.parse(line) as object);
  const sessionSecret = randomUUID();
  shops = [
    await startShop(configOf({ sessionSecret }), home, listening),
    await startShop(configOf({ sessionSecret }), home, listening),
  ];
  expect(sentences()).toEqual([]);
  const [first, second] = shops as [Shop, Shop];
  const { data } = (await (await logIn(first, ownerPassword)).json()) as { data: { authResponse: { jwt: string } } };
  const headers = { authorization: `Bearer ${data.authResponse.jwt}` };
  const listAt = async (shop: Shop) => (await fetch(`${addressOf(shop)}/api/admin/orders`, { headers })).status;
  expect([await listAt(first), await listAt(second)]).toEqual([200, 200]);
  const alone = await startShop(configOf(), home, listening);
  shops.push(alone);
  expect(await listAt(alone)).toBe(401);
  expect(sentences()).toMatchObject([
    {
      level: 40,
      msg: "SESSION_SECRET is not set: only processes that share this DATA_DIR accept each other's logins",
    },
  ]);
});

test('periodic jobs are on the schedule', async () => {
  shops = [await start()];
  const scheduled = `select count(*) from graphile_worker._private_known_crontabs where identifier = 'sweepPayments'`;
  await expect.poll(() => number(scheduled)).toBe(1);
});

test('a closed one releases everything: its port, its connections, its folder', async () => {
  const shop = await start();
  const address = addressOf(shop);
  await shop.close();
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
  const connected = `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await expect.poll(() => number(connected)).toBe(0);
});

test('one that cannot start leaves nothing open', async () => {
  const empty = `${database}_empty`; // it has no owner yet
  await onServer(server, `create database ${empty}`);
  const config = configOf({ ownerEmail: 'no address', databaseUrl: urlOf(withDatabase(server, empty)) });
  await expect(startShop(config, home, logger)).rejects.toThrow('OWNER_EMAIL must be an email address');
  await expect.poll(() => number(`select count(*) from pg_stat_activity where datname = '${empty}'`)).toBe(0);
  await onServer(server, `drop database ${empty}`);
});

test('its embedded database starts before the shop, and ends with it, or with a failed start', async () => {
  const config = configOf({ databaseUrl: undefined });
  const refused = { ...config, ownerEmail: 'no address' };
  await expect(startShop(refused, home, logger, await begin(refused, logger))).rejects.toThrow('OWNER_EMAIL');
  expect(await findEmbeddedPostgres(ownFolder(config))).toBeUndefined();

  const begun = await begin(config, logger);
  const { connection } = (await begun.embeddedPostgres) ?? {};
  expect(connection).toMatchObject({ database: 'shop' });
  const shop = await startShop(config, home, logger, begun);
  expect(await findEmbeddedPostgres(ownFolder(config))).toMatchObject({ database: 'shop' });
  await shop.close();
  expect(await findEmbeddedPostgres(ownFolder(config))).toBeUndefined();
});

test('the reason for a database that does not start is given when the shop opens it', async () => {
  const config = configOf({ databaseUrl: undefined });
  await mkdir(ownFolder(config), { recursive: true });
  await writeFile(path.join(ownFolder(config), 'PG_VERSION'), '9\n');
  const begun = await begin(config, logger);
  await expect(startShop(config, home, logger, begun)).rejects.toThrow('was made by PostgreSQL 9');
});

test('one whose database owner may not create logins warns what a query could do, and how to fix it', async () => {
  const plain = `plain_${randomUUID().slice(0, 8)}`;
  await onServer(server, `create role ${plain} login password 'x'`);
  await onServer(server, `create database ${plain} owner ${plain}`);
  const url = new URL(urlOf(withDatabase(server, plain)));
  [url.username, url.password] = [plain, 'x'];
  const said: string[] = [];
  const log = pino({ level: 'warn', base: null }, { write: (line: string) => void said.push(line) });
  const shop = await startShop(configOf({ databaseUrl: url.href }), home, log);
  onTestFinished(async () => {
    await shop.close();
    for (const each of [`database ${plain}`, `role ${plain}`]) await onServer(server, `drop ${each}`);
  });
  expect(said.join('')).toMatch(
    /"DATABASE_URL: the shop has no second, limited login .*: set DATABASE_APP_URL, see docs\/security.md"/,
  );
});

describe('with the test provider in its own process', () => {
  const controlToken = 'a token of the tests';
  async function startWithProvider(token?: string) {
    const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
    const payments = { provider: 'sandbox' as const, keys, url: undefined, port: sandboxPort, controlToken: token };
    const shop = await startShop(configOf({ port, payments }), home, logger);
    shops.push(shop);
    const control = (action: string, body?: object) =>
      fetch(`http://127.0.0.1:${sandboxPort}/_sandbox/${action}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-sandbox-token': controlToken },
        ...(body && { body: JSON.stringify(body) }),
      });
    return { call: callerAt(addressOf(shop)), control };
  }

  test('its control routes exist with SANDBOX_CONTROL_TOKEN, and only with it', async () => {
    const { control } = await startWithProvider(controlToken);
    expect((await control('ledger')).status).toBe(200);
    const without = await startWithProvider();
    expect((await without.control('ledger')).status).toBe(404);
  });

  test.each([-2, 2])('an order is placed and paid although the process’s clock is %i hours off', async (hours) => {
    vi.stubGlobal('Date', movedDate(hours * 3_600_000));
    onTestFinished(() => void vi.unstubAllGlobals());
    const { call, control } = await startWithProvider(controlToken);
    const person = newcomer();
    const user = (await call('register', { body: person })).data.user;
    const login = await call('login', { body: { email: person.email, password: person.password } });
    const { jwt: token } = login.data.authResponse;
    const ana = { userId: user.id, cartId: '', email: person.email, role: 'ROLE_CUSTOMER' as const, token };
    const [product] = await onDatabase<{ id: string }>('select id from products where quantity > 5 limit 1');
    const body = { productId: product?.id, quantity: 1 };
    const added = await call('addCartItem', { as: ana, path: { userId: ana.userId }, body });
    const { cartId } = added.data.cartResponse;
    const placed = await call('placeOrder', { as: ana, path: { userId: ana.userId, cartId }, body: delivery });
    expect(placed.status).toBe(201);
    await control('pay', { session: /cs_test_\w+/.exec(placed.data.paymentUrl)?.[0] });
    await expect
      .poll(() => number(`select count(*) from orders where id = '${placed.data.orderId}' and status = 'PAID'`), {
        timeout: 60_000,
      })
      .toBe(1);
  });
});

/** A machine with a wrong clock. */
function movedDate(byMs: number): DateConstructor {
  const RightDate = Date;
  return class extends RightDate {
    constructor(...given: ConstructorParameters<DateConstructor> | []) {
      if (given.length > 0) super(...(given as [number]));
      else super(RightDate.now() + byMs);
    }
    static override now = () => RightDate.now() + byMs;
  } as unknown as DateConstructor;
}

const count = (table: string) => number(`select count(*) from ${table}`);
const number = async (query: string) => Number((await onDatabase<{ count: string }>(query))[0]?.count);

async function onDatabase<Row extends object>(query: string): Promise<Row[]> {
  const client = new Client(direct);
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}
