/**
 * Staff's search of orders: one text in everything that identifies an order. The texts of an order are one row of
 * `order_words`, which triggers write. Rule: docs/rules/back-office.md, Orders
 */
import { and, inArray, isNotNull, isNull, like, or, sql, type SQL } from 'drizzle-orm';
import { minIdLength } from '../../shared/ordersList';
import type { Connection } from '../db/core/transact';
import { containsText } from '../db/core/listQueries';
import { orderItems, orders, orderWords, products } from '../db/schema/tables';

export type OrderSearch = {
  q?: string | undefined;
  /** The products whose SKU is the searched text. */
  productsOfSku: readonly string[];
};

/**
 * A SKU belongs to the product, not to its orders: one that was set later finds earlier orders too.
 * @returns the products whose SKU is the searched text; more than one if some are archived
 */
export async function findProductsOfSku(connection: Connection, q = ''): Promise<string[]> {
  const search = q.trim();
  if (search === '') return [];
  const isSku = sql`lower(${products.sku}) = lower(${search})`;
  const ofSku = (condition: SQL) => connection.select({ id: products.id }).from(products).where(and(isSku, condition));
  // two queries: active and archived products have separate indexes
  const found = await ofSku(isNull(products.archivedAt)).unionAll(ofSku(isNotNull(products.archivedAt)));
  return found.map(({ id }) => id);
}

/** Whether an order is found. `#1042` finds only order numbers. */
export function matchesSearch({ q = '', productsOfSku }: OrderSearch): SQL | undefined {
  const search = q.trim();
  if (search === '') return undefined;
  if (isOfNumber(search)) return like(orders.orderNumber, containsText(search.slice(1).trim()));
  return sql`${orders.id} in (select ${orderWords.orderId} from ${orderWords} where ${isFound(search, productsOfSku)})`;
}

/** Whether a row of `order_words` is found. @returns undefined if the search needs the orders themselves */
export function findsWords({ q = '', productsOfSku }: OrderSearch): SQL | undefined {
  const search = q.trim();
  return search === '' || isOfNumber(search) ? undefined : isFound(search, productsOfSku);
}

const isOfNumber = (search: string): boolean => search.startsWith('#');

const isFound = (search: string, productsOfSku: readonly string[]): SQL | undefined =>
  or(contains(orderWords.words, search), containsId(search), hasProduct(productsOfSku));

/** As an array, which the primary key's index takes together with the index of the texts. */
const hasProduct = (productIds: readonly string[]): SQL | undefined =>
  productIds.length === 0
    ? undefined
    : sql`${orderWords.orderId} = any(array(
        select ${orderItems.orderId} from ${orderItems} where ${inArray(orderItems.productId, [...productIds])}))`;

/** Ids are stored without spaces and hyphens, in which copies of them differ. */
function containsId(search: string): SQL | undefined {
  const id = search.replaceAll(/[ -]/g, '');
  return id.length < minIdLength ? undefined : contains(orderWords.ids, id);
}

/** The stored text is in lower case. */
const contains = (column: typeof orderWords.words | typeof orderWords.ids, text: string): SQL =>
  sql`${column} like lower(${containsText(text)})`;
