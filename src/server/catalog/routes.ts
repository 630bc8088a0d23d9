import { catalogMessages, categoryNamePattern, type ProductSort } from '../../shared/catalog';
import { catalogStaffMessages } from '../../shared/catalogStaff';
import { categoryForm, productForm } from '../../shared/catalogForms';
import type { AnswerOf, Schema } from '../../shared/contract';
import { searchMessages } from '../../shared/search';
import { filterOf } from '../../shared/productLists';
import type { ChangeBus } from '../db/core/changeBus';
import { cardsChange } from '../db/core/changes';
import type { Replica } from '../db/replica';
import { allProducts } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import type { ContractApi, ServedCall } from '../http/contract/contract';
import { sendCached, toCached, type CachedResponse } from '../http/cache/cachedResponse';
import { createResponseCache, jsonResponse, type ResponseCache } from '../http/cache/responseCache';
import { presentPage, type PageRequest } from '../http/contract/paging';
import type { Card } from './cards';
import { feedRoutes } from './feedRoutes';
import { knownFilter, namesValues, type FilterValues } from './filterValues';
import {
  presentCard,
  presentCategory,
  presentPicturedCategory,
  presentProductOfPage,
  presentWholeProduct,
} from './present';
import { createProduct, updateProduct } from './productForms';
import { openCatalogReader, type CatalogReader, type Reading } from './replicaReader';
import type { CategoryRow, ProductRow, Selection } from './repository';
import { searchProducts } from './search';
import { staffRoutes, type StaffParts } from './staffRoutes';
import {
  categoryNotFound,
  countCategoryFilters,
  createCategory,
  getCategory,
  getProduct,
  getProductBySlug,
  listCategories,
  listOthers,
  listProducts,
  listProductsByCategory,
  updateCategory,
  type List,
} from './service';

const messages = { ...catalogMessages, ...catalogStaffMessages };

type Parts = StaffParts & {
  db: Db;
  replica?: Replica | undefined;
  bus: ChangeBus;
  filterValues: FilterValues;
};

/** Public reads are cached responses with an ETag; changes by staff run in the contract's transaction. */
export function catalogRoutes(api: ContractApi, parts: Parts): void {
  const { bus, acceptPicture, filterValues } = parts;
  const read = openCatalogReader(parts);
  serveReads(api, { bus, read, filterValues });
  feedRoutes(api, bus);
  serveSearch(api, { bus, read });
  staffRoutes(api, parts);

  api.on('getCategory', async ({ db, params }) => categoryAnswer('getCategory', await getCategory(db, params.id)));
  api.on(
    'createCategory',
    async ({ tx, body, by, now }) => categoryAnswer('createCategory', await createCategory(tx, body, by, now)),
    { form: categoryForm },
  );
  api.on(
    'updateCategory',
    async ({ tx, params, body, by, now }) =>
      categoryAnswer('updateCategory', await updateCategory(tx, params.id, body, by, now)),
    { form: categoryForm },
  );
  api.on(
    'createProduct',
    async ({ tx, params, body, session, by, now }) => {
      const sender = { byUserId: session.userId, by, now, acceptPicture };
      const id = await createProduct(tx, params.categoryId, body, sender);
      return productAnswer('createProduct', await getProduct(tx, id));
    },
    { form: productForm },
  );
  api.on(
    'updateProduct',
    async ({ tx, params, body, session, by, now }) =>
      productAnswer(
        'updateProduct',
        await updateProduct(tx, params.id, body, { byUserId: session.userId, by, now, acceptPicture }),
      ),
    { form: productForm },
  );
}

type ReadParts = Pick<Parts, 'bus' | 'filterValues'> & { read: CatalogReader };

function serveReads(api: ContractApi, { bus, read, filterValues }: ReadParts): void {
  const cache = openCache(bus);
  const answer = (call: Exchange, key: string, make: (db: Db) => Promise<Reading>) =>
    sendFromCache(
      call,
      () => cache.find(key),
      () => cache.get(key, () => respond(read, make)),
    );
  type Selected = { list: string; page: PageRequest; asked: Selection; isLive?: boolean };
  const answerSelected = (
    call: Exchange,
    { list, page, asked, isLive = asked.filter.inStock }: Selected,
    make: (db: Db, selection: Selection) => Promise<Reading>,
  ) => {
    // any sale may change it, also of a product that it doesn't contain
    if (isLive) return sendFromCache(call, none, async () => toCached(await respond(read, (db) => make(db, asked))));
    if (!namesValues(asked.filter)) return answer(call, keyOf(list, page, asked), (db) => make(db, asked));
    const find = () => {
      const values = filterValues.find();
      return values && cache.find(keyOf(list, page, known(values, asked)));
    };
    return sendFromCache(call, find, async () => {
      const selection = known(await filterValues.get(), asked);
      return cache.get(keyOf(list, page, selection), () => respond(read, (db) => make(db, selection)));
    });
  };

  api.serve('listCategories', (call) => {
    const page = pageOf(call.query);
    return answer(call, keyOf('categories', page), async (db) => {
      const { rows, totalElements } = await listCategories(db, page);
      const categories = presentPage(rows.map(presentPicturedCategory), totalElements, page);
      const body = api.stringify('listCategories', { message: messages.listCategories.success, data: { categories } });
      return { body, productIds: [] };
    });
  });
  api.serve('listProducts', (call) => {
    const page = pageOf(call.query);
    const selected = { list: 'products', page, asked: selectionOf(call.query) };
    return answerSelected(call, selected, async (db, selection) => {
      const products = presentProducts(await listProducts(db, selection, page), page);
      const body = api.stringify('listProducts', { message: messages.listProducts.success, data: { products } });
      return { body, productIds: dependsOn(products, selection, allProducts) };
    });
  });
  api.serve('listProductsByCategory', (call) => {
    const { categoryName } = call.params;
    if (!categoryNamePattern.test(categoryName)) throw categoryNotFound(); // no category can have that name
    const page = pageOf(call.query);
    const asked = selectionOf(call.query);
    const withCounts = call.query.counts === true;
    const selected = { list: `category ${categoryName}`, page, asked, ...(withCounts && { isLive: true }) };
    return answerSelected(call, selected, async (db, selection) => {
      const { category, facets, ...list } = await listProductsByCategory(db, categoryName, selection, page);
      const products = presentProducts(list, page);
      const counts = withCounts && (await countCategoryFilters(db, categoryName, facets, selection));
      const data = { products, category, facets, ...(counts && { counts }) };
      const message = messages.listProductsByCategory.success;
      const body = api.stringify('listProductsByCategory', { message, data });
      return { body, productIds: dependsOn(products, selection, category.id) };
    });
  });
  /** It changes with other products, too: a sold-out one that isn't shown may come back. */
  const withOthers = async (db: Db, product: ProductRow): Promise<Reading> => {
    const others = await listOthers(db, product);
    const data = { product: presentProductOfPage(product, others) };
    const body = api.stringify('getProduct', { message: messages.getProduct.success, data });
    const chosenFrom = [product, ...others.sizes, ...others.candidates];
    return { body, productIds: chosenFrom.map(({ id }) => id) };
  };
  api.serve('getProduct', (call) => {
    const id = call.params.id.toLowerCase();
    return answer(call, `product ${id}`, async (db) => withOthers(db, await getProduct(db, id)));
  });
  api.serve('getProductBySlug', (call) => {
    const slug = call.params.slug.toLowerCase();
    return answer(call, `product at ${slug}`, async (db) => withOthers(db, await getProductBySlug(db, slug)));
  });
}

const openCache = (bus: ChangeBus): ResponseCache =>
  createResponseCache(bus, { quantities: 'exact', maxEntries: 2_000, maxBytes: 32 * 1024 * 1024 });

async function respond(read: CatalogReader, make: (db: Db) => Promise<Reading>) {
  const { body, productIds } = await read(make);
  return jsonResponse(body, productIds);
}

type Exchange = Pick<ServedCall<'listProducts'>, 'request' | 'reply' | 'missed'>;

/**
 * Search results have a separate cache, so that a flood of searches cannot evict the lists. Most searches repeat: people type
 * the same first letters and the same few names.
 */
function serveSearch(api: ContractApi, { bus, read }: { bus: ChangeBus; read: CatalogReader }): void {
  const cache = openCache(bus);

  api.serve('searchProducts', (call) => {
    const { q = '', page = 0, size = 10 } = call.query;
    const isGrouped = call.query.sizes === 'grouped';
    const key = `${page} ${size} ${isGrouped} ${q}`;
    const search = async (db: Db): Promise<Reading> => {
      const products = presentProducts(await searchProducts(db, q, { page, size }, isGrouped), { page, size });
      const message = searchMessages.searchProducts.success;
      const body = api.stringify('searchProducts', { message, data: { products } });
      return { body, productIds: dependsOn(products, { isGrouped }, allProducts) };
    };
    return sendFromCache(
      call,
      () => cache.find(key),
      () => cache.get(key, () => respond(read, search)),
    );
  });
}

/** Sends a cached response without awaiting a promise, which costs measurable time. A miss counts in the caller's rate limit. */
function sendFromCache(
  { request, reply, missed }: Exchange,
  find: () => CachedResponse | undefined,
  make: () => Promise<CachedResponse>,
) {
  request.server.noteCached(request, find);
  const ready = find();
  if (ready) return sendCached(request, reply, ready);
  return missed(make).then((made) => sendCached(request, reply, made));
}

/** The contract's validation has already set the defaults. */
const pageOf = ({ page = 0, size = 10 }: { page?: number; size?: number }): PageRequest => ({ page, size });

const presentProducts = ({ rows, totalElements }: List<Card>, page: PageRequest) =>
  presentPage(rows.map(presentCard), totalElements, page);

/**
 * A response shows the sizes of its products, too. Another size may move a card to its page.
 * @param list a category's id, or `allProducts`
 */
const dependsOn = (
  { content }: { content: Schema<'Product'>[] },
  { isGrouped }: Pick<Selection, 'isGrouped'>,
  list: string,
): string[] => [
  ...content.flatMap(({ id, sizes = [] }) => [id, ...sizes.map((size) => size.id)]),
  ...(isGrouped ? [cardsChange(list)] : []),
];

const none = () => undefined;

type ListQuery = Parameters<typeof filterOf>[0] & { sort?: ProductSort; sizes?: 'grouped' };
const selectionOf = (query: ListQuery): Selection => ({
  filter: filterOf(query),
  sort: query.sort ?? 'featured',
  isGrouped: query.sizes === 'grouped',
});

const known = (values: Parameters<typeof knownFilter>[0], selection: Selection): Selection => ({
  ...selection,
  filter: knownFilter(values, selection.filter),
});

const keyOf = (list: string, { page, size }: PageRequest, selection?: Selection) =>
  `${list} ${page} ${size} ${selection ? JSON.stringify(selection) : ''}`;

type CategoryMessages = 'getCategory' | 'createCategory' | 'updateCategory';
const categoryAnswer = (id: CategoryMessages, category: CategoryRow): AnswerOf<'getCategory'> => ({
  message: messages[id].success,
  data: { category: presentCategory(category) },
});

type ProductMessages = 'createProduct' | 'updateProduct';
const productAnswer = (id: ProductMessages, product: ProductRow): AnswerOf<'createProduct'> => ({
  message: messages[id].success,
  data: { product: presentWholeProduct(product) },
});
