import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/sandbox';
import { readConfig, type Config } from '../../../src/server/core/config';
import catalog from '../../../src/server/db/seed/catalog.json' with { type: 'json' };
import { withDemoSizes } from '../../../src/server/db/seed/demoSizes';
import { startShop, type Shop } from '../../../src/server/process/shop';
import { callerAt } from '../../support/caller';
import { onServer, urlOf, withDatabase } from '../../support/globalSetup';

/** A whole shop as a process starts it; startup.nightly.test.ts has more. */
const { config: server } = inject('database');
const logger = pino({ level: 'silent' });
const email = 'owner@shop.example.com';
const addressOf = ({ app }: Shop) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

/** An empty database of an owner who may create roles, so that the shop works with a login of fewer rights. */
async function openEmpty() {
  const name = `shop_start_${randomUUID().slice(0, 8)}`;
  await onServer(server, `create role ${name} login createrole password 'its own'`);
  await onServer(server, `create database ${name} owner ${name}`);
  const home = await mkdtemp(path.join(tmpdir(), 'shop-start-'));
  await symlink(path.resolve('src'), path.join(home, 'src')); // migrations and seed, independent of the current build
  const keys = { secretKey: `sk_test_${randomUUID().slice(0, 8)}`, webhookSecret: `whsec_${randomUUID().slice(0, 8)}` };
  const place = { port: 0, hosts: ['127.0.0.1'], folder: path.join(home, 'sandbox') };
  const sandbox = await startSandbox({ ...keys, ...place, webhookUrl: undefined, shopName: 'The shop' });
  const url = new URL(urlOf(withDatabase(server, name)));
  [url.username, url.password] = [name, 'its own'];
  const read = readConfig({
    HOST: '127.0.0.1',
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: url.href,
    DEMO_CATALOG: 'on',
    OWNER_EMAIL: email,
    PAYMENTS: 'sandbox',
    SANDBOX_URL: sandbox.url,
    STRIPE_SECRET_KEY: keys.secretKey,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
  });
  const config: Config = { ...read, port: 0 }; // any free port, which PORT cannot express
  onTestFinished(async () => {
    await sandbox.close();
    await onServer(server, `drop database if exists ${name} with (force)`);
    for (const role of [`${name}_app`, name]) await onServer(server, `drop role if exists ${role}`);
    await rm(home, { recursive: true, force: true });
  });
  return { name, home, config, direct: withDatabase(server, name) };
}

test('two that start at the same time on an empty database create one shop, which works with a login of fewer rights and closes everything', async () => {
  const { name, home, config, direct } = await openEmpty();
  const shops = await Promise.all([1, 2].map(() => startShop(config, home, logger)));
  const client = new Client(direct);
  await client.connect();
  const number = async (query: string) => Number((await client.query<{ count: string }>(query)).rows[0]?.count);
  const passwords = shops.flatMap(({ newOwnerPassword }) => newOwnerPassword ?? []);
  expect(passwords).toHaveLength(1);
  expect(await number('select count(*) from users')).toBe(1);
  expect(await number('select count(*) from products')).toBe(withDemoSizes(catalog.products).length);

  // each serves the same shop, and accepts the other's token
  const [first, second] = shops.map((shop) => callerAt(addressOf(shop)));
  const login = await first!('login', { body: { email, password: passwords[0] } });
  const headers = { authorization: `Bearer ${login.data.authResponse.jwt}` };
  for (const call of [first!, second!]) expect((await call('listOrders', { headers })).status).toBe(200);
  const working = `select count(*) from pg_stat_activity where datname = '${name}' and usename =`;
  expect(await number(`${working} '${name}_app'`)).toBeGreaterThan(0);

  const address = addressOf(shops[0]!);
  await Promise.all(shops.map((shop) => shop.close()));
  await expect.poll(() => number(`${working} '${name}_app'`)).toBe(0);
  await expect.poll(() => number(`${working} '${name}'`)).toBe(0);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
  await client.end();
});
