import { asOwner } from '../../src/server/db/roles/appRole';
import { openClient } from '../../src/server/db/core/openClient';
import { startEpoch } from '../../src/server/backup/startEpoch';
import type { TestShop } from './shop';

/**
 * Does to a shop's change feed, in place, what a restore from a backup does to it. Open another process afterwards
 * (`openProcess`), or change a product: this one has responses of before in memory.
 */
export async function startEpochIn({ direct }: Pick<TestShop, 'direct'>): Promise<void> {
  const client = await openClient(direct);
  try {
    await asOwner(client);
    const tables = ['products', 'categories', 'removed_categories'];
    const withTriggers = (state: 'disable' | 'enable') =>
      tables.map((name) => `alter table ${name} ${state} trigger user`).join(';');
    await client.query(`begin; ${withTriggers('disable')}`);
    await startEpoch(client);
    await client.query(`${withTriggers('enable')}; commit`);
  } finally {
    await client.end();
  }
}
