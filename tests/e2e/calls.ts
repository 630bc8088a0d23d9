/** What a test creates through calls, with the cookies of a page. It uses the pages only for what it tests. */
import { randomUUID } from 'node:crypto';
import type { APIRequestContext, BrowserContext, Page } from 'playwright/test';
import type { AnswerOf, OperationId } from '../../src/shared/contract';
import { expect } from './shop';

/** The server may close an idle connection just as a call uses it; the call is repeated, and its key makes it one change. */
const maxRetries = 2;

/** @returns the response to a change of the API */
export async function change<Id extends OperationId>(
  page: Page,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: Pick<NonNullable<Parameters<APIRequestContext['fetch']>[1]>, 'data' | 'multipart'> = {},
): Promise<AnswerOf<Id>['data']> {
  const origin = new URL(page.url()).origin;
  const headers = { origin, 'idempotency-key': randomUUID() };
  const answer = await page.request.fetch(`${origin}/api${path}`, { method, headers, maxRetries, ...body });
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as AnswerOf<Id>).data;
}

/** @returns the id of a new product in one of the seeded categories */
export async function makeProduct(
  staff: Page,
  { name, price, quantity = 20 }: { name: string; price: string; quantity?: number },
): Promise<string> {
  const answer = await staff.request.get('/api/public/catalog/changes?since=0', { maxRetries });
  const [category] = ((await answer.json()) as AnswerOf<'getCatalogChanges'>).data.changes.categories;
  const { product } = await change<'createProduct'>(staff, 'POST', `/admin/products/create/${category?.id}`, {
    multipart: {
      name,
      description: 'Made for a test',
      price,
      quantity: String(quantity),
      availability: 'true',
      category: category?.name ?? '',
    },
  });
  return product.id;
}

/** The cart of a signed-in context on the server, by name and quantity. */
export async function serverCart(context: BrowserContext): Promise<Record<string, number>> {
  const answer = await context.request.get(`/api/public/cart/${await userOf(context)}`, { maxRetries });
  const { cartItems } = ((await answer.json()) as AnswerOf<'getCart'>).data.cartResponse;
  return Object.fromEntries(cartItems.map(({ productName, quantity }) => [productName, quantity]));
}

/** @returns the id of the user signed in on the context's pages */
export async function userOf(context: BrowserContext): Promise<string> {
  const { origins } = await context.storageState();
  const root = origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'root');
  return (JSON.parse(root?.value ?? '{}') as { id: string }).id;
}

/** @returns one of the signed-in user's lists on the server; undefined if there is none of this name */
export async function listOf(context: BrowserContext, name: string) {
  const answer = await context.request.get(`/api/public/lists/${await userOf(context)}`, { maxRetries });
  return ((await answer.json()) as AnswerOf<'listLists'>).data.lists.find((list) => list.name === name);
}
