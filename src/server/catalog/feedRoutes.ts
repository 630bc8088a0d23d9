import { catalogMessages as messages } from '../../shared/catalog';
import type { ChangeBus } from '../db/core/changeBus';
import type { Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { createResponseCache, jsonResponse } from '../http/cache/responseCache';
import { sendCached, type PlainResponse } from '../http/cache/cachedResponse';
import { findPosition, readChanges } from './feed';
import { presentCategory, presentFeedProduct } from './present';

/**
 * One cached response for each position of the feed. A device shows no exact quantity above 10, so a sale from plenty
 * drops none of them.
 */
export function feedRoutes(api: ContractApi, bus: ChangeBus): void {
  const cache = createResponseCache(bus, { quantities: 'upTo10', maxEntries: 500, maxBytes: 48 * 1024 * 1024 });

  api.serve('getCatalogChanges', async ({ db, query: { since = 0 }, request, reply, missed }) => {
    const key = (from: number) => `changes ${from}`;
    const ready = cache.find(key(since));
    if (ready) return sendCached(request, reply, ready);
    const page = await missed(async () => {
      // a position that the feed has not reached comes from a database that was replaced by a backup
      const from = since <= (await findPosition(db)) ? since : 0;
      return cache.get(key(from), () => render(db, from));
    });
    return sendCached(request, reply, page);
  });

  async function render(db: Db, since: number): Promise<PlainResponse> {
    const { categories, products, ...rest } = await readChanges(db, since);
    const changes = {
      ...rest,
      categories: categories.map(presentCategory),
      products: products.map(presentFeedProduct),
    };
    const body = api.stringify('getCatalogChanges', { message: messages.getCatalogChanges.success, data: { changes } });
    return jsonResponse(body);
  }
}
