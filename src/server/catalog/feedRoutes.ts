import { catalogSays as says } from '../../shared/catalog';
import type { Parts } from '../app';
import type { Db } from '../db/transact';
import type { ContractApi } from '../http/contract';
import { createKeptPages } from '../http/keptPages';
import type { Page } from '../http/pageBytes';
import { sendSealed } from '../http/pageBytes';
import { onCatalogChange } from './changes';
import { findPosition, readChanges } from './feed';
import { presentCategory, presentProduct } from './present';

/**
 * The feed's answers are kept and compressed once for each place that is asked from, by the rules of the public pages:
 * a changed fact drops them all, a stock change that starts or ends at 10 or less those with the product, a sale from
 * plenty none. A device shows no exact quantity above 10 either.
 */
export function feedRoutes(api: ContractApi, { notices }: Pick<Parts, 'notices'>): void {
  const kept = createKeptPages(notices, onCatalogChange);

  api.serve('getCatalogChanges', async ({ db, query: { since = 0 }, request, reply }) => {
    const key = (from: number) => `changes ${from}`;
    const ready = kept.find(key(since));
    if (ready) return sendSealed(request, reply, ready);
    // a place that the feed has not reached is one of a copy of the database that is no more
    const from = since <= (await findPosition(db)) ? since : 0;
    const page = await kept.page(key(from), () => draw(db, from));
    if (!page) throw new Error('the feed was not drawn');
    return sendSealed(request, reply, page);
  });

  async function draw(db: Db, since: number): Promise<Page> {
    const { categories, products, ...rest } = await readChanges(db, since);
    const changes = {
      ...rest,
      categories: categories.map(presentCategory),
      products: products.map(presentProduct),
    };
    const body = api.stringify('getCatalogChanges', { message: says.getCatalogChanges.success, data: { changes } });
    return { status: 200, body, headers: { 'content-type': 'application/json; charset=utf-8' } };
  }
}
