/**
 * The app login can only add to the audit log, whatever rights an administrator gave it. Rule: docs/rules/running.md,
 * Database
 */
import { randomUUID } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { toDirect, withLogin } from '../../../src/server/core/databaseUrl';
import { createAppLogin } from '../../../src/server/db/roles/appLogin';
import { onServer, urlOf } from '../../support/globalSetup';
import { openOwnShop, type TestShop } from '../../support/shop';

const { config } = inject('database');
const user = `web_${randomUUID().slice(0, 8)}`;
const password = 'of the web';
const changes = [`update audit_log set action = ''`, 'delete from audit_log', 'truncate audit_log'];
let shop: TestShop;
let login: ClientConfig;
beforeAll(async () => {
  shop = await openOwnShop();
  login = toDirect(withLogin(urlOf(shop.direct), { user, password }));
  await onServer(config, `create role ${user} login password '${password}'`);
});
beforeEach(async () => {
  expect(await start()).toEqual({ user, password });
});
afterAll(async () => {
  await asOwner(`drop owned by ${user}`);
  await shop.close();
  await onServer(config, `drop role ${user}`);
});

/** As each start of the shop does. */
const start = () => createAppLogin({ owner: shop.direct, user, password, ways: () => [login] });
const asOwner = (statement: string) => run(shop.direct, statement);
const codeOf = (statement: string) =>
  run(login, statement).then(
    () => undefined,
    ({ code }: { code?: string }) => code,
  );

async function run(as: ClientConfig, statement: string): Promise<void> {
  const client = new Client(as);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

test.each(['all on all tables in schema public', 'truncate on audit_log', 'update (action) on audit_log'])(
  'rights granted to it, such as %s, are revoked at the next start',
  async (rights) => {
    await asOwner(`grant ${rights} to ${user}`);
    expect(await start()).toEqual({ user, password });
    for (const change of changes) expect(await codeOf(change), change).toBe('42501');
    expect(await codeOf('select from audit_log')).toBeUndefined();
  },
);

test.each([
  ['as a member of a group', `grant pg_write_all_data to ${user}`, `revoke pg_write_all_data from ${user}`],
  ['as anybody may', 'grant delete on audit_log to public', 'revoke delete on audit_log from public'],
])('a login that may change it %s is not used', async (_, given, taken) => {
  await asOwner(given);
  expect(await start()).toEqual({ refused: `${user} can change the audit log` });
  await asOwner(taken);
});
