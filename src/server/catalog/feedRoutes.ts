import { catalogSays as says } from '../../shared/catalog';
import type { ChangeBus } from '../db/core/changeBus';
import type { Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { createKeptPages } from '../http/cache/responseCache';
import { sendSealed, type Page } from '../http/cache/cachedResponse';
import { findPosition, readChanges } from './feed';
import { presentCategory, presentKeptProduct } from './present';

/**
 * The feed's answers are kept and compressed once for each place that is asked from, by the rules of the public pages:
 * a changed fact drops them all, a stock change that starts or ends at 10 or less those with the product, a sale from
 * plenty none. A device shows no exact quantity above 10 either.
 */
export function feedRoutes(api: ContractApi, bus: ChangeBus): void {
  const kept = createKeptPages(bus);

  api.serve('getCatalogChanges', async ({ db, query: { since = 0 }, request, reply, missed }) => {
    const key = (from: number) => `changes ${from}`;
    const ready = kept.find(key(since));
    if (ready) return sendSealed(request, reply, ready);
    const page = await missed(async () => {
      // a position that the feed has not reached comes from a database that was replaced by a backup
      const from = since <= (await findPosition(db)) ? since : 0;
      return kept.page(key(from), () => draw(db, from));
    });
    if (!page) throw new Error('the feed was not drawn');
    return sendSealed(request, reply, page);
  });

  async function draw(db: Db, since: number): Promise<Page> {
    const { categories, products, ...rest } = await readChanges(db, since);
    const changes = {
      ...rest,
      categories: categories.map(presentCategory),
      products: products.map(presentKeptProduct),
    };
    const body = api.stringify('getCatalogChanges', { message: says.getCatalogChanges.success, data: { changes } });
    return { status: 200, body, headers: { 'content-type': 'application/json; charset=utf-8' } };
  }
}
