/**
 * Runs after all other tests: the books of the shared shops agree with each other and with the provider's, over
 * everything done there. Rule: docs/rules/failures.md, Invariants
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { openPool } from '../../src/server/db/open';
import { findBreaches, type Ledger } from './books';
import { withDatabase } from './globalSetup';
import { control, startProvider } from './provider';
import type { SharedShop } from './shop';

const { config, folder } = inject('database');
const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
const shops = await Promise.all(
  files.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as SharedShop),
);

test("the books of every shared test shop agree with each other and with the provider's", async () => {
  for (const { database, sandbox, keys } of shops) {
    const pool = openPool(withDatabase(config, database));
    const provider = await startProvider({ keys, folder: sandbox, now: () => new Date() });
    const ledger = (await control(provider, 'ledger')) as Ledger;
    const breaches = await findBreaches({ pool, ledger });
    expect(breaches, `${database}: ${JSON.stringify(breaches)}`).toEqual([]);
    await provider.close();
    await pool.end();
  }
});
