/**
 * One PostgreSQL server for the whole run: a temporary one, or the one at TEST_DATABASE_URL. Its migrated template is
 * copied for each shop's database.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runMigrations } from 'graphile-worker';
import { Client, type ClientConfig } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateDatabase, openPool } from '../../src/server/db/open';
import { startEmbeddedPostgres } from '../../src/server/db/embedded/embeddedPostgres';

/** `folder` holds what the shops of this run store outside the database. */
export type TestServer = { config: ClientConfig; template: string; folder: string };

declare module 'vitest' {
  export interface ProvidedContext {
    database: TestServer;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TEST_DATABASE_URL'];
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-tests-'));
  const { config, stop } = url ? { config: { connectionString: url }, stop: async () => undefined } : await startOwn();
  const template = `shop_template_${process.pid}`;
  await onServer(config, `create database ${template}`);
  const inTemplate = withDatabase(config, template);
  await migrateDatabase(inTemplate, path.resolve('src/server/db/migrations'));
  const pool = openPool(inTemplate);
  await runMigrations({ pgPool: pool });
  await pool.end();
  project.provide('database', { config, template, folder });
  return async () => {
    if (url) await dropDatabases(config, template);
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function startOwn() {
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-test-database-'));
  const own = await startEmbeddedPostgres(path.join(folder, 'postgres'));
  const stop = async () => {
    await own.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { config: own.connection, stop };
}

/** On a server that stays: the template, and leftover copies of it. */
async function dropDatabases(config: ClientConfig, template: string): Promise<void> {
  const client = new Client(config);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [template],
  );
  for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
  await client.end();
}

/** The same server, another database. */
export function withDatabase(config: ClientConfig, database: string): ClientConfig {
  if (!config.connectionString) return { ...config, database };
  const url = new URL(config.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** The connection as a URL, as in DATABASE_URL. */
export function urlOf({ connectionString, host = '', port, user, password, database }: ClientConfig): string {
  if (connectionString) return connectionString;
  const login = [user ?? '', typeof password === 'string' ? password : ''].map(encodeURIComponent).join(':');
  return `postgres://${login}@${encodeURIComponent(host)}:${port}/${database}`;
}

export async function onServer(config: ClientConfig, statement: string): Promise<void> {
  const client = new Client(config);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
