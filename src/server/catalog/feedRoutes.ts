import { catalogMessages as messages } from '../../shared/catalog';
import type { ChangeBus } from '../db/core/changeBus';
import type { Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { anyProduct, createResponseCache, jsonResponse } from '../http/cache/responseCache';
import { sendCached, type PlainResponse } from '../http/cache/cachedResponse';
import { findFeed, readChanges } from './feed';
import { presentCategory, presentFeedProduct } from './present';

/**
 * Caches one response per feed position. Devices show no exact quantity above 10, so sales that leave more than 10 do not
 * drop the cache.
 */
export function feedRoutes(api: ContractApi, bus: ChangeBus): void {
  const cache = createResponseCache(bus, { quantities: 'upTo10', maxEntries: 500, maxBytes: 48 * 1024 * 1024 });

  api.serve('getCatalogChanges', async ({ db, query: { since = 0 }, request, reply, missed }) => {
    const key = (from: number) => `changes ${from}`;
    const ready = cache.find(key(since));
    if (ready) return sendCached(request, reply, ready);
    const page = await missed(async () => {
      // any other position comes from before a backup was restored
      const { epoch, position } = await findFeed(db);
      const from = since >= epoch && since <= position ? since : 0;
      return cache.get(key(from), () => render(db, from));
    });
    return sendCached(request, reply, page);
  });

  async function render(db: Db, since: number): Promise<PlainResponse> {
    const { categories, products, pages, ...rest } = await readChanges(db, since);
    const changes = {
      ...rest,
      categories: categories.map(presentCategory),
      products: products.map(presentFeedProduct),
      pages: pages.map(({ slug, changedAt }) => ({ slug, changedAt: changedAt.toISOString() })),
    };
    const body = api.stringify('getCatalogChanges', { message: messages.getCatalogChanges.success, data: { changes } });
    return jsonResponse(body, rest.more ? [] : [anyProduct]); // the next change belongs to it
  }
}
