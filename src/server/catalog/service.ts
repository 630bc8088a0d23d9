import { randomUUID } from 'node:crypto';
import { catalogMessages } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import type { Candidate } from '../../shared/pairs';
import { countFilters } from '../../shared/productLists';
import { changed, writeAudit, type Facts } from '../audit/service';
import { refuseViolation } from '../db/core/errors';
import { readTogether, type Connection, type Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { conflict, notFound } from '../http/core/problems';
import { factsChanged } from '../db/core/changes';
import { type Card, countCards, findCardIds, findCards } from './cards';
import { findCategoryFacets, findProductGroups, type Facets } from './facets';
import { isEmptyFilter } from './filter';
import { findCandidates, findGoesWellWith } from './pairs';
import { findSizes, type SizeRow } from './sizesRepository';
import * as repository from './repository';
import type { CategoryRow, PicturedCategoryRow, ProductRow, Selection } from './repository';

/** A page of rows, and the total number. */
export type List<Row> = { rows: Row[]; totalElements: number };

/** All categories, oldest first. */
export async function listCategories(connection: Connection, page: PageRequest): Promise<List<PicturedCategoryRow>> {
  const [rows, totalElements] = await readTogether(connection, (on) => [
    repository.findCategories(on, page),
    repository.countCategories(on),
  ]);
  return { rows, totalElements };
}

/** The listed (not archived) products that pass the filter. */
export async function listProducts(
  connection: Connection,
  selection: Selection,
  page: PageRequest,
): Promise<List<Card>> {
  const [rows, totalElements] = await readCards(connection, { selection, page }, (on) => countList(on, selection));
  return { rows, totalElements };
}

function countList(connection: Connection, { filter, isGrouped }: Selection): Promise<number> {
  if (isGrouped) return countCards(connection, filter);
  return isEmptyFilter(filter) ? repository.countListed(connection) : repository.countProducts(connection, filter);
}

/**
 * The products of a category that pass the filter, and the facets of the whole category.
 * @throws Problem 404 category_not_found
 * Rule: docs/rules/catalog.md, Filters
 */
export async function listProductsByCategory(
  connection: Connection,
  categoryName: string,
  selection: Selection,
  page: PageRequest,
): Promise<List<Card> & { category: ProductRow['category']; facets: Facets }> {
  const [rows, found] = await readCards(connection, { selection, page, categoryName }, (on) =>
    findCategoryFacets(on, categoryName, selection),
  );
  if (!found) throw categoryNotFound();
  const { category, products, facets } = found;
  return { rows, totalElements: products, category, facets };
}

type CardsRequest = { selection: Selection; page: PageRequest; categoryName?: string };

/** @param askTogether what to read in the same round trip */
async function readCards<Other>(
  connection: Connection,
  { selection, page, categoryName }: CardsRequest,
  askTogether: (connection: Connection) => Promise<Other>,
): Promise<[Card[], Other]> {
  if (selection.isGrouped) {
    const [ids, other] = await readTogether(connection, (on) => [
      findCardIds(on, selection, page, categoryName),
      askTogether(on),
    ]);
    return [await findCards(connection, ids), other];
  }
  const [rows, other] = await readTogether(connection, (on) => [
    repository.findProducts(on, selection, page, categoryName),
    askTogether(on),
  ]);
  return [rows.map((product) => ({ product, sizes: [] })), other];
}

/** How many products of the category each filter value would leave. Rule: docs/rules/catalog.md, Filters */
export const countCategoryFilters = async (
  connection: Connection,
  categoryName: string,
  facets: Facets,
  { filter, isGrouped }: Selection,
): Promise<Schema<'FilterCounts'>> =>
  countFilters(await findProductGroups(connection, categoryName, isGrouped), facets, filter);

/**
 * One product, archived or not: old links still show a product that is no longer sold.
 * @throws Problem 404 product_not_found
 * Rule: docs/rules/catalog.md, Products
 */
export async function getProduct(connection: Connection, id: string): Promise<ProductRow> {
  const product = await repository.findProduct(connection, id);
  if (!product) throw productNotFound();
  return product;
}

/** What a product's page shows of other products. */
export type OthersOfPage = { sizes: SizeRow[]; goesWellWith: ProductRow[] };

/** `candidates`: what `goesWellWith` was chosen from. */
type Others = OthersOfPage & { candidates: Candidate[] };

export async function listOthers(connection: Connection, product: ProductRow): Promise<Others> {
  const [sizes, candidates] = await readTogether(connection, (on) => [
    listSizes(on, product),
    findCandidates(on, product),
  ]);
  return { sizes, candidates, goesWellWith: await findGoesWellWith(connection, product, candidates) };
}

/**
 * The sizes of a product, if others of its group are on sale.
 * Rule: docs/rules/catalog.md, Sizes
 */
async function listSizes(connection: Connection, { sizeGroup, archivedAt }: ProductRow): Promise<SizeRow[]> {
  if (sizeGroup === null || archivedAt) return [];
  const sizes = await findSizes(connection, sizeGroup);
  return sizes.length > 1 ? sizes : [];
}

/** @param slug the present or a former address @throws Problem 404 product_not_found */
export async function getProductBySlug(connection: Connection, slug: string): Promise<ProductRow> {
  const product = await repository.findProductBySlug(connection, slug);
  if (!product) throw productNotFound();
  return product;
}

/** @throws Problem 404 category_not_found */
export async function getCategory(connection: Connection, id: string): Promise<CategoryRow> {
  const category = await repository.findCategory(connection, id);
  if (!category) throw categoryNotFound();
  return category;
}

/**
 * Creates a category. Its name is part of the URL and therefore unique.
 * @param form.id restores a deleted category under its id, which discount codes and reports still refer to
 * @throws Problem 404 category_not_found when no category with this id was deleted, 409 category_name_taken
 * Rule: docs/rules/catalog.md, Categories
 */
export async function createCategory(tx: Tx, form: Schema<'NewCategory'>, by: Actor, now: Date): Promise<CategoryRow> {
  const { title = null, ...fields } = tidy(form);
  const { id = randomUUID() } = form;
  if (form.id !== undefined && !(await repository.clearRemoval(tx, id))) throw categoryNotFound();
  const category = { ...fields, title, id, createdAt: now };
  await refuseTakenName(repository.insertCategory(tx, category));
  factsChanged(tx);
  const action = form.id === undefined ? 'category.created' : 'category.restored';
  const target = { kind: 'category', id } as const;
  await writeAudit(tx, { by, action, target, after: { ...fields, title }, now });
  return category;
}

/**
 * Changes a category. A title that was not sent is unchanged.
 * @throws Problem 404 category_not_found, 409 category_name_taken
 * Rule: docs/rules/catalog.md, Categories
 */
export async function updateCategory(
  tx: Tx,
  id: string,
  form: Schema<'CategoryForm'>,
  by: Actor,
  now: Date,
): Promise<CategoryRow> {
  const before = await repository.findCategory(tx, id);
  const category = await refuseTakenName(repository.changeCategory(tx, id, tidy(form)));
  if (!category || !before) throw categoryNotFound();
  factsChanged(tx);
  const facts = changed(audited(before), audited(category));
  const target = { kind: 'category', id } as const;
  if (facts) await writeAudit(tx, { by, action: 'category.changed', target, ...facts, now });
  return category;
}

const audited = ({ name, title, description }: CategoryRow): Facts => ({ name, title, description });

export const productNotFound = () => notFound('product_not_found', catalogMessages.productNotFound);
export const categoryNotFound = () => notFound('category_not_found', 'Category not found');

/** Trims the texts. An empty title becomes null; one that was not sent stays undefined. */
const tidy = ({ name, description, title }: Schema<'CategoryForm'>) => ({
  name,
  description: description.trim(),
  title: title === undefined ? undefined : title?.trim() || null,
});

const refuseTakenName = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'categories_name', () => {
    const message = "There's already a category with this name";
    return conflict('category_name_taken', message, [{ field: 'name', message }]);
  });
