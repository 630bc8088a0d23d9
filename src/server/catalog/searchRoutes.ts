import { searchSays as says } from '../../shared/search';
import type { Parts } from '../app';
import type { ContractApi } from '../http/contract';
import { presentPage } from '../http/paging';
import { sendReady } from '../http/readyBytes';
import { createKeptAnswers } from './keptAnswers';
import { presentProduct } from './present';
import type { CatalogReader } from './reader';
import { searchProducts } from './search';

/**
 * Kept like the lists, since everybody types the same first letters and the same few names; in a place of their own, so
 * that no flood of searches can push the lists out.
 */
export function searchRoutes(
  api: ContractApi,
  { notices, read }: Pick<Parts, 'notices'> & { read: CatalogReader },
): void {
  const kept = createKeptAnswers(notices);

  api.serve('searchProducts', async ({ query: { q = '', page = 0, size = 10 }, request, reply }) => {
    const answer = await kept.answer(`${page} ${size} ${q}`, () =>
      read(async (db) => {
        const { rows, totalElements } = await searchProducts(db, q, { page, size });
        const products = presentPage(rows.map(presentProduct), totalElements, { page, size });
        const body = api.stringify('searchProducts', { message: says.searchProducts.success, data: { products } });
        return { body, productIds: rows.map(({ id }) => id) };
      }),
    );
    return sendReady(request, reply, answer);
  });
}
