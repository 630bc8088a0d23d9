import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogSays as says, categoryNamePattern } from '../../shared/catalog';
import { categoryForm, productForm } from '../../shared/catalogForms';
import type { AnswerOf } from '../../shared/contract';
import type { Parts } from '../app';
import type { ContractApi } from '../http/contract';
import { presentPage, type PageRequest } from '../http/paging';
import { type Filter, filterOf } from './filter';
import { createKeptAnswers, type KeptAnswer } from './keptAnswers';
import { presentCategory, presentPicturedCategory, presentProduct } from './present';
import { createProduct, updateProduct, type Sender } from './productForms';
import type { CategoryRow, ProductRow } from './repository';
import {
  categoryNotFound,
  createCategory,
  getCategory,
  getProduct,
  listCategories,
  listProducts,
  listProductsByCategory,
  updateCategory,
  type List,
} from './service';

/** What everybody reads goes out as kept bytes with an ETag; what staff write runs in the contract's transaction. */
export function catalogRoutes(api: ContractApi, { notices }: Pick<Parts, 'notices'>): void {
  serveReads(api, notices);

  api.on('getCategory', async ({ db, params }) => categoryAnswer('getCategory', await getCategory(db, params.id)));
  api.on(
    'createCategory',
    async ({ tx, body, now }) => categoryAnswer('createCategory', await createCategory(tx, body, now)),
    { form: categoryForm },
  );
  api.on(
    'updateCategory',
    async ({ tx, params, body }) => categoryAnswer('updateCategory', await updateCategory(tx, params.id, body)),
    { form: categoryForm },
  );
  api.on(
    'createProduct',
    async ({ tx, params, body, session, now }) =>
      productAnswer('createProduct', await createProduct(tx, params.categoryId, body, senderOf(session, now))),
    { form: productForm },
  );
  api.on(
    'updateProduct',
    async ({ tx, params, body, session, now }) =>
      productAnswer('updateProduct', await updateProduct(tx, params.id, body, senderOf(session, now))),
    { form: productForm },
  );
}

function serveReads(api: ContractApi, notices: Parts['notices']): void {
  const kept = createKeptAnswers(notices);

  api.serve('listCategories', async ({ db, query, request, reply }) => {
    const page = pageOf(query);
    const answer = await kept.answer(keyOf('categories', page), async () => {
      const { rows, totalElements } = await listCategories(db, page);
      const categories = presentPage(rows.map(presentPicturedCategory), totalElements, page);
      const body = api.stringify('listCategories', { message: says.listCategories.success, data: { categories } });
      return { body, productIds: [] };
    });
    return send(request, reply, answer);
  });
  api.serve('listProducts', async ({ db, query, request, reply }) => {
    const page = pageOf(query);
    const filter = filterOf(query);
    const answer = await kept.answer(keyOf('products', page, filter), async () => {
      const products = presentProducts(await listProducts(db, filter, page), page);
      const body = api.stringify('listProducts', { message: says.listProducts.success, data: { products } });
      return { body, productIds: products.content.map(({ id }) => id) };
    });
    return send(request, reply, answer);
  });
  api.serve('listProductsByCategory', async ({ db, params: { categoryName }, query, request, reply }) => {
    if (!categoryNamePattern.test(categoryName)) throw categoryNotFound(); // no category can have that name
    const page = pageOf(query);
    const filter = filterOf(query);
    const answer = await kept.answer(keyOf(`category ${categoryName}`, page, filter), async () => {
      const { category, facets, ...list } = await listProductsByCategory(db, categoryName, filter, page);
      const products = presentProducts(list, page);
      const message = says.listProductsByCategory.success;
      const body = api.stringify('listProductsByCategory', { message, data: { products, category, facets } });
      return { body, productIds: products.content.map(({ id }) => id) };
    });
    return send(request, reply, answer);
  });
  api.serve('getProduct', async ({ db, params, request, reply }) => {
    const id = params.id.toLowerCase();
    const answer = await kept.answer(`product ${id}`, async () => {
      const body = api.stringify('getProduct', productAnswer('getProduct', await getProduct(db, id)));
      return { body, productIds: [id] };
    });
    return send(request, reply, answer);
  });
}

/** The contract has filled in what was not sent. */
const pageOf = ({ page = 0, size = 10 }: { page?: number; size?: number }): PageRequest => ({ page, size });

const presentProducts = ({ rows, totalElements }: List<ProductRow>, page: PageRequest) =>
  presentPage(rows.map(presentProduct), totalElements, page);

const keyOf = (list: string, { page, size }: PageRequest, filter?: Filter) =>
  `${list} ${page} ${size} ${filter ? JSON.stringify(filter) : ''}`;

/** Sends the kept bytes, or 304 to a client that has them. Source: decisions §3 */
function send({ headers }: FastifyRequest, reply: FastifyReply, { etag, bytes }: KeptAnswer): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (isSame(headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
}

/** `If-None-Match` is one tag, a list of them or `*`; a proxy may have marked a tag as weak on its way. */
function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

const senderOf = ({ userId }: { userId: string }, now: Date): Sender => ({ byUserId: userId, now });

type CategorySays = 'getCategory' | 'createCategory' | 'updateCategory';
const categoryAnswer = (id: CategorySays, category: CategoryRow): AnswerOf<'getCategory'> => ({
  message: says[id].success,
  data: { category: presentCategory(category) },
});

type ProductSays = 'getProduct' | 'createProduct' | 'updateProduct';
const productAnswer = (id: ProductSays, product: ProductRow): AnswerOf<'getProduct'> => ({
  message: says[id].success,
  data: { product: presentProduct(product) },
});
