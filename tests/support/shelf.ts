/** A kitchen's shelf for browser tests: enough products, and a list of them. Calls bypass the app. */
import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from 'playwright';
import type { AnswerOf } from '../../src/shared/contract';

export interface Shelf {
  listId: string;
  productIds: string[];
}

interface Wanted {
  /** The shop's URL. */
  origin: string;
  /** How many products. */
  items: number;
  /** The par of each; the shop has as many in stock. */
  par: number;
}

/**
 * Makes sure that the shop sells this many products.
 * @param owner a signed-in owner
 * @returns their ids
 */
export async function stockShelf(owner: APIRequestContext, { origin, items, par }: Wanted): Promise<string[]> {
  const { category, enough } = await readCatalog(owner, par);
  for (let number = enough.length; number < items; number += 1) {
    const answer = await owner.post(`/api/admin/products/create/${category?.id}`, {
      headers: asOfTheShop(origin),
      multipart: {
        name: `Shelf product ${number}`,
        description: 'One of those that are counted',
        price: '4.50',
        availability: 'true',
        quantity: '60',
        category: category?.name ?? '',
      },
    });
    if (!answer.ok()) throw new Error(await answer.text());
  }
  return (await readCatalog(owner, par)).enough.map(({ id }) => id).slice(0, items);
}

/** Creates a product of 110 g that is sold out, with a size of 450 g in stock. @returns their ids */
export async function stockSizes(owner: APIRequestContext, origin: string) {
  const { category } = await readCatalog(owner, 0);
  const other = { netGrams: 450, price: '26.50', quantity: 5 };
  const answer = await owner.post(`/api/admin/products/create/${category?.id}`, {
    headers: asOfTheShop(origin),
    multipart: {
      name: 'Afra Rub',
      description: 'Smoky',
      price: '7.95',
      availability: 'true',
      quantity: '0',
      netGrams: '110',
      category: category?.name ?? '',
      sizes: JSON.stringify([other]),
    },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  const { products } = await readCatalog(owner, 0);
  const idOf = (grams: number) => products.find(({ name, netGrams }) => name === 'Afra Rub' && netGrams === grams)?.id;
  return { soldOut: idOf(110) ?? '', inStock: idOf(450) ?? '' };
}

async function readCatalog(visitor: APIRequestContext, par: number) {
  const answer = await visitor.get('/api/public/catalog/changes?since=0');
  const { categories, products } = ((await answer.json()) as AnswerOf<'getCatalogChanges'>).data.changes;
  return { category: categories[0], products, enough: products.filter(({ quantity }) => quantity >= par) };
}

interface WantedList extends Omit<Wanted, 'items'> {
  userId: string;
  productIds: readonly string[];
  name?: string;
  /** What was counted of each; not counted by default. */
  onHand?: number;
}

/**
 * Creates a list of products with their pars.
 * @param cook the signed-in owner of the list
 * @returns the list's id
 */
export async function makeList(
  cook: APIRequestContext,
  { userId, productIds, origin, par, name = 'Change', onHand }: WantedList,
): Promise<string> {
  const listId = randomUUID();
  const change = async (method: 'POST' | 'PUT', path: string, data: object) => {
    const answer = await cook.fetch(`/api/public/lists/${userId}${path}`, {
      method,
      headers: asOfTheShop(origin),
      data,
    });
    if (!answer.ok()) throw new Error(await answer.text());
  };
  await change('POST', '', { id: listId, name });
  for (const id of productIds) await change('PUT', `/${listId}/items/${id}`, { add: true, par, onHand });
  return listId;
}

const asOfTheShop = (origin: string) => ({ origin, 'idempotency-key': randomUUID() });
