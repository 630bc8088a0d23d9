/** Saves the further sizes in the form of a product, in the transaction of that form: all of them or none. */
import { randomUUID } from 'node:crypto';
import { mistakesBetween } from '../../shared/catalogForms';
import { productMessages, stockMessages } from '../../shared/catalogStaff';
import type { Schema } from '../../shared/contract';
import { columnOf, productFieldNames, productFields } from '../../shared/productFields';
import { shortSize } from '../../shared/unitPrice';
import { changed, writeAudit } from '../audit/service';
import { factsChanged } from '../db/core/changes';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { conflict, type FieldError, invalid, Problem } from '../http/core/problems';
import { adjustStock, writeOpeningStock } from '../stock/service';
import { audited, differencesOf, isStale, refuseTakenSku } from './productChecks';
import { asForm, factsOf, type StoredFacts } from './productFacts';
import * as repository from './repository';
import type { ProductRow } from './repository';
import { productNotFound } from './service';
import { assignSizeGroup, lockGroups, requireRoom } from './sizes';
import { takeSlug } from './slugs';
import { changeProducts } from './staffProducts';

type ProductForm = Schema<'ProductForm'>;
type SizeForm = Schema<'SizeForm'>;
type SizesForm = Pick<ProductForm, 'sizes' | 'removedSizes'>;
type Known = ReadonlyMap<string, ProductRow>;
type Doing = { byUserId: string; by: Actor; now: Date };

/**
 * Locks a product and the sizes that its form names, in the order of their ids. If the form adds sizes, locks all of its
 * group.
 * @returns those that exist, by id
 * @throws Problem 404 product_not_found for a size that doesn't exist, 400 for one that is named twice
 */
export async function lockWithSizes(tx: Tx, productId: string, form: SizesForm): Promise<Known> {
  const id = productId.toLowerCase();
  const ids = [id, ...idsOf(form)];
  if (new Set(ids).size < ids.length) throw invalid(productMessages.sizeTwice);
  const isAdding = form.sizes?.some((size) => size.id === undefined) ?? false;
  const locked = await (isAdding ? lockGroups(tx, ids) : repository.lockProducts(tx, ids));
  const known = new Map(locked.map((product) => [product.id, product]));
  if (!ids.every((each) => known.has(each))) throw productNotFound();
  return known;
}

const idsOf = ({ sizes = [], removedSizes = [] }: SizesForm) =>
  [...sizes.flatMap(({ id }) => id ?? []), ...removedSizes].map((id) => id.toLowerCase());

const sizeOf = (known: Known, { id }: SizeForm) => (id === undefined ? undefined : known.get(id.toLowerCase()));

/**
 * What someone else has done to the rows since the form was opened: fields that have other values now, deleted sizes, and
 * those that are no longer sizes of this product.
 */
export function sizeConflicts(form: SizesForm, { sizeGroup }: ProductRow, known: Known): FieldError[] {
  const isSize = (size: ProductRow | undefined) => sizeGroup !== null && size?.sizeGroup === sizeGroup;
  const message = productMessages.noLongerASize;
  const ofRows = (form.sizes ?? []).flatMap((row, index) => {
    const size = sizeOf(known, row);
    if (!size) return [];
    if (!isSize(size)) return inRow(index, [{ field: 'id', message }]);
    if (!isStale(row, size)) return [];
    const [is, will] = [asForm(size, ''), asForm(factsOf(asProduct(row), size), '')];
    const asked = Object.fromEntries(sentFields(row).map((name) => [name, will[name]]));
    return inRow(index, differencesOf(size, { is, asked }));
  });
  const ofRemoved = (form.removedSizes ?? []).flatMap((id, index) =>
    isSize(known.get(id.toLowerCase())) ? [] : [{ field: `removedSizes.${index}`, message }],
  );
  return [...ofRows, ...ofRemoved];
}

const sentFields = (row: SizeForm) =>
  productFieldNames.filter((name) => (row as Record<string, unknown>)[name] !== undefined);
/** A row as a form without the fields that all sizes share. */
const asProduct = (row: SizeForm) => row as ProductForm;

/**
 * Archives the removed sizes, and takes SKUs from products that give them to another one in the same form. So the order
 * in which the products are written doesn't matter.
 * @throws Problem 404 product_not_found
 */
export async function makeWay(
  tx: Tx,
  product: ProductRow,
  form: ProductForm,
  known: Known,
  { by, now }: Doing,
): Promise<void> {
  const { sizes = [], removedSizes = [] } = form;
  if (removedSizes.length > 0) await changeProducts(tx, idsOf({ removedSizes }), 'archive', by, now);
  const rows = [{ row: form, owner: product }, ...sizes.map((row) => ({ row, owner: sizeOf(known, row) }))];
  const wanted = new Set(rows.map(({ row }) => skuOf(row)));
  const giving = rows.flatMap(({ row, owner }) => {
    const sku = owner?.sku?.toLowerCase();
    return owner && sku && row.sku !== undefined && skuOf(row) !== sku && wanted.has(sku) ? [owner.id] : [];
  });
  await repository.clearSkus(tx, giving);
}

const skuOf = ({ sku = '' }: Pick<SizeForm, 'sku'>) => sku.trim().toLowerCase();

/**
 * Creates and changes the sizes of a product. Those that are removed are archived already. A new size takes over what all sizes share, and the photos.
 * @param product locked, after its own change
 * @param known from lockWithSizes
 * @throws Problem 409 sku_taken, slug_taken, too_many_sizes, not_enough_stock or too_many_units, 400 invalid_request; `errors` has the
 *   rows and fields
 * Rule: docs/rules/catalog.md, Sizes in the product form
 */
export async function saveSizes(
  tx: Tx,
  product: ProductRow,
  { sizes = [] }: SizesForm,
  known: Known,
  doing: Doing,
): Promise<void> {
  const { by, now } = doing;
  const rows = sizes.map((row) => ({ row, size: sizeOf(known, row) }));
  const mistakes = rows.flatMap(({ row, size }, index) => inRow(index, mistakesOf(row, size)));
  if (mistakes[0]) throw invalid(mistakes[0].message, mistakes);
  await refuseTakenSkus(tx, sizes);
  await requireRoom(tx, product.sizeGroup, rows.filter(({ size }) => !size).length);
  const group = product.sizeGroup ?? randomUUID();
  if (product.sizeGroup === null && sizes.length > 0) await assignSizeGroup(tx, [product], group, by, now);
  for (const [index, { row, size }] of rows.entries())
    await namingRow(index, size ? changeSize(tx, size, row, doing) : createSize(tx, product, group, row, doing));
}

function mistakesOf(row: SizeForm, size: ProductRow | undefined): FieldError[] {
  const { priceCents, compareAtCents, netGrams, netMillilitres } = factsOf(asProduct(row), size);
  return mistakesBetween({ price: priceCents, compareAtPrice: compareAtCents, netGrams, netMillilitres });
}

/** Names all rows at once. The database's own check names only the first. */
async function refuseTakenSkus(tx: Tx, rows: readonly SizeForm[]): Promise<void> {
  const owners = await repository.findSkus(tx, rows.map(skuOf).filter(Boolean));
  const message = productMessages.skuTaken;
  const errors = rows.flatMap((row, index) => {
    const sku = skuOf(row);
    const owner = owners.get(sku);
    const isTaken = owner !== undefined && owner !== row.id?.toLowerCase();
    const isRepeated = sku !== '' && rows.findIndex((each) => skuOf(each) === sku) < index;
    return isTaken || isRepeated ? inRow(index, [{ field: 'sku', message }]) : [];
  });
  if (errors.length > 0) throw conflict('sku_taken', message, errors);
}

async function changeSize(tx: Tx, size: ProductRow, row: SizeForm, { byUserId, by, now }: Doing): Promise<void> {
  const { id, quantity } = size;
  const facts = { categoryId: size.categoryId, ...factsOf(asProduct(row), size) };
  const version = await refuseTakenSku(repository.changeFacts(tx, id, facts));
  if (version !== size.version) factsChanged(tx);
  const units = row.quantity === undefined ? 0 : row.quantity - (row.quantityWas ?? quantity);
  await adjustStock(tx, { productId: id, units, reason: stockReasonOf(row), byUserId, now });
  const difference = changed(audited(size, quantity), audited(facts, quantity + units));
  if (difference)
    await writeAudit(tx, { by, action: 'product.changed', target: { kind: 'product', id }, ...difference, now });
}

/** @returns the reason in the stock ledger */
export const stockReasonOf = ({ stockReason = '' }: Pick<ProductForm, 'stockReason'>): string =>
  stockReason.trim() || stockMessages.edited;

async function createSize(tx: Tx, product: ProductRow, sizeGroup: string, row: SizeForm, doing: Doing): Promise<void> {
  const { byUserId, by, now } = doing;
  const { quantity = 0 } = row;
  const id = randomUUID();
  const own = { ...factsOf(asProduct(row)), ...sharedFacts(product) };
  const named = [product.name, shortSize(own.unitSize)].filter(Boolean).join(' ');
  const slug = await takeSlug(tx, { productId: id, name: named, slug: null }, now);
  const { categoryId, pictureAlt, photos, picture } = product;
  const facts = { ...own, categoryId, slug };
  const shown = { pictureHash: picture?.hash ?? null, pictureAlt, photos };
  const created = { ...facts, ...shown, id, quantity, sizeGroup, createdAt: now };
  await refuseTakenSku(repository.insertProducts(tx, [created]));
  await writeOpeningStock(tx, [{ productId: id, units: quantity }], { byUserId, now });
  factsChanged(tx);
  const after = { ...audited(facts, quantity), sizeGroup };
  await writeAudit(tx, { by, action: 'product.created', target: { kind: 'product', id }, after, now });
}

/** The facts that all sizes of a product have in common. */
const sharedFacts = (product: StoredFacts) =>
  Object.fromEntries(
    productFieldNames
      .filter((name) => !productFields[name].isOfSize)
      .map((name) => [columnOf(name), product[columnOf(name) as keyof StoredFacts]]),
  ) as Partial<StoredFacts>;

const inRow = (index: number, errors: readonly FieldError[]): FieldError[] =>
  errors.map((error) => ({ ...error, field: `sizes.${index}.${error.field}` }));

/** Says which row a Problem is about. Those about the stock name no field by themselves. */
async function namingRow(index: number, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message, extras } = error;
    const errors = extras.errors?.length ? extras.errors : [{ field: 'quantity', message }];
    throw new Problem(status, code, message, { ...extras, errors: inRow(index, errors) });
  }
}
