import { searchSays as says } from '../../shared/search';
import type { ContractApi } from '../http/contract';
import { presentPage } from '../http/paging';
import { sendReady } from '../http/readyBytes';
import { seal } from './keptAnswers';
import { presentProduct } from './present';
import type { CatalogReader } from './reader';
import { searchProducts } from './search';

/**
 * Searches are not kept here, since hardly two of them are the same; but who asks again for what has not changed is sent
 * no body.
 */
export function searchRoutes(api: ContractApi, { read }: { read: CatalogReader }): void {
  api.serve('searchProducts', async ({ query: { q = '', page = 0, size = 10 }, request, reply }) => {
    const found = await read(async (db) => {
      const { rows, totalElements } = await searchProducts(db, q, { page, size });
      const products = presentPage(rows.map(presentProduct), totalElements, { page, size });
      const body = api.stringify('searchProducts', { message: says.searchProducts.success, data: { products } });
      return { body, productIds: rows.map(({ id }) => id) };
    });
    return sendReady(request, reply, seal(found));
  });
}
