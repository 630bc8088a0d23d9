/**
 * What a row of a product file does: it creates or changes a product, changes nothing, or has errors. A row has the columns
 * of the shop's own CSV; files of other shops are converted to them first (server/imports).
 */
import { v5 as uuidOf } from 'uuid';
import { productForm } from '../../shared/catalogForms';
import { productFields, type ProductFieldName } from '../../shared/productFields';
import { catalogLimits, importMessages, productMessages, stockMessages } from '../../shared/catalogStaff';
import type { Schema } from '../../shared/contract';
import { maxSizes } from '../../shared/sizeGroups';
import type { Connection, Tx } from '../db/core/transact';
import type { CsvRow } from '../http/csv/csvFile';
import type { FieldError } from '../http/core/problems';
import { uuidPattern } from '../core/ids';
import { findSlugs } from './slugs';
import { isStale } from './productChecks';
import { createProduct, createProducts, updateProduct, type Sender } from './productForms';
import { asForm, factsOf, formOfTexts, type ProductText } from './productFacts';
import { assignSizeGroup } from './sizes';
import { countSizes } from './sizesRepository';
import {
  findAllCategories,
  findProductsOfIds,
  findSkus,
  lockProducts,
  type CategoryRow,
  type ProductRow,
} from './repository';

type Form = Schema<'ProductForm'>;
/** The texts of a row. */
type RowText = ProductText & { quantity: string };
/** The planned effect of a row. `form` is set if the row has no errors. */
export type PlannedRow = Schema<'ProductImportRow'> & {
  form?: Form & { categoryId: string };
  /** Of each field that changes, the whole texts. */
  texts?: readonly FieldChange[];
  /** Set if the row changes the group of sizes. */
  sizeGroup?: SizeGroupChange | undefined;
};
type FieldChange = { field: string; from: string; to: string };
export type Known = {
  products: ReadonlyMap<string, ProductRow>;
  categories: readonly CategoryRow[];
  /** Which product has the file's SKUs (in small letters) and addresses. */
  owners: Record<'sku' | 'slug', ReadonlyMap<string, string>>;
  /** How many products the file's groups of sizes have. */
  sizes: ReadonlyMap<string, number>;
};

/** The groups of sizes are assigned here; everything else is as if staff had sent the product's form. @returns the product's id */
export async function applyPlan(
  tx: Tx,
  { action, id, form, sizeGroup }: PlannedRow,
  sender: Sender,
  createdAt: Date,
): Promise<string | null> {
  if (!form || action === 'nothing') return id;
  const { categoryId, ...fields } = form;
  const productId = id ?? (await createProduct(tx, categoryId, fields, sender, createdAt));
  if (id !== null) await updateProduct(tx, id, fields, sender);
  if (!sizeGroup) return productId;
  const { by, now } = sender;
  await assignSizeGroup(tx, [{ id: productId, sizeGroup: sizeGroup.was }], sizeGroup.is, by, now);
  return productId;
}

export type PlannedProduct = { planned: PlannedRow; createdAt: Date; isArchived: boolean };

/**
 * The same for rows that create a product, together: a few statements for all of them, and one for each group of sizes.
 * @returns the products' ids, in the order of the rows
 */
export async function createPlanned(tx: Tx, rows: readonly PlannedProduct[], sender: Sender): Promise<string[]> {
  const wanted = rows.flatMap(({ planned: { form }, createdAt, isArchived }) => {
    if (!form) return [];
    const { categoryId, ...fields } = form;
    return [{ categoryId, form: fields, createdAt, isArchived }];
  });
  if (wanted.length === 0) return [];
  const ids = await createProducts(tx, wanted, sender);
  const groups = new Map<string, { id: string; sizeGroup: null }[]>();
  for (const [at, { planned }] of rows.entries()) {
    const group = planned.sizeGroup?.is;
    if (group) groups.set(group, [...(groups.get(group) ?? []), { id: ids[at] ?? '', sizeGroup: null }]);
  }
  for (const [group, products] of groups) await assignSizeGroup(tx, products, group, sender.by, sender.now);
  return ids;
}

/**
 * What `planRow` needs to know of the shop for these rows.
 * @param isLocked locks their products and groups of sizes until the transaction ends, for rows that are applied
 */
export async function readKnown(
  connection: Connection,
  rows: readonly CsvRow[],
  { isLocked }: { isLocked: boolean },
): Promise<Known> {
  const ids = [...new Set(rows.map(idOf).filter((id) => uuidPattern.test(id)))];
  const groups = new Set(rows.flatMap((row) => groupOf(row.cells.get('sizeGroup') ?? '') ?? []));
  const products = isLocked
    ? await lockProducts(connection, ids, [...groups])
    : await findProductsOfIds(connection, ids);
  const categories = await findAllCategories(connection);
  const valuesOf = (field: 'sku' | 'slug') => [...new Set(rows.map((row) => uniqueOf(row, field)))].filter(Boolean);
  const owners = {
    sku: await findSkus(connection, valuesOf('sku')),
    slug: await findSlugs(connection, valuesOf('slug')),
  };
  const sizes = await countSizes(connection, [...groups]);
  return { products: new Map(products.map((product) => [product.id, product])), categories, owners, sizes };
}

const uniqueOf = ({ cells }: CsvRow, field: 'sku' | 'slug') => (cells.get(field) ?? '').trim().toLowerCase();

const idOf = ({ cells }: CsvRow) => (cells.get('id') ?? '').trim().toLowerCase();

const taken = { sku: productMessages.skuTaken, slug: productMessages.slugTaken };

/**
 * A row may keep its own SKU and address, or take one that no other product and no earlier row has. A deleted product may
 * have the same SKU as a product on sale.
 */
function takenErrors(row: CsvRow, product: ProductRow | undefined, known: Known, seen: Set<string>): FieldError[] {
  return (['sku', 'slug'] as const).flatMap((field) => {
    const value = uniqueOf(row, field);
    if (value === '' || value === product?.[field]?.toLowerCase()) return [];
    if (field === 'sku' && product?.archivedAt) return [];
    const owner = known.owners[field].get(value);
    const isTaken = seen.has(`${field} ${value}`) || (owner !== undefined && owner !== product?.id);
    seen.add(`${field} ${value}`);
    return isTaken ? [{ field, message: taken[field] }] : [];
  });
}

type SizeGroupChange = { was: string | null; is: string | null; text: string };

/** Of the ids that words in files stand for. */
const wordGroups = 'd3a3f5a0-6f0e-4a57-9d5c-6d0b3c1f2e84';

/** @returns undefined if the row leaves the group as it is. An id is as in an export; other text is the same group in any file. */
function sizeGroupOf({ cells }: CsvRow, product: ProductRow | undefined): SizeGroupChange | undefined {
  const cell = cells.get('sizeGroup');
  if (cell === undefined) return undefined;
  const is = groupOf(cell);
  const was = product?.sizeGroup ?? null;
  return is === was ? undefined : { was, is, text: cell.trim() };
}

function groupOf(cell: string): string | null {
  const word = cell.trim().toLowerCase();
  if (word === '') return null;
  return uuidPattern.test(word) ? word : uuidOf(word, wordGroups);
}

/** Takes a place in the group for the row's product. Rows that leave it don't make room. @returns whether there was one */
function joinsGroup({ is }: SizeGroupChange, known: Known, seen: Set<string>): boolean {
  const places = is === null ? [] : Array.from({ length: maxSizes }, (_, place) => `size ${place} of ${is}`);
  const free = places.slice(known.sizes.get(is ?? '') ?? 0).find((place) => !seen.has(place));
  if (free !== undefined) seen.add(free);
  return is === null || free !== undefined;
}

/** @param seen the ids, SKUs, addresses and places in groups of the previous rows; the function adds this row's */
export const planRow = (row: CsvRow, known: Known, seen: Set<string>): PlannedRow =>
  withCells(plan(row, known, seen), row);

function plan(row: CsvRow, known: Known, seen: Set<string>): PlannedRow {
  const id = idOf(row);
  const product = known.products.get(id);
  const refuse = (errors: FieldError[]): PlannedRow => ({ ...about, action: 'refuse', errors });
  const about = { line: row.line, id: product?.id ?? null, name: nameOf(row, product), changes: [], errors: [] };
  if (id !== '' && !uuidPattern.test(id)) return refuse([{ field: 'id', message: importMessages.badId }]);
  if (id !== '' && !product) return refuse([{ field: 'id', message: importMessages.noProduct }]);
  if (seen.has(id)) return refuse([{ field: 'id', message: importMessages.twice }]);
  if (product) seen.add(id);

  const was = product && { ...asForm(product, product.category.name), quantity: String(product.quantity) };
  const sent = { ...was, ...textsOf(row) };
  const checked = productForm.safeParse(sent);
  const errors: FieldError[] = checked.success ? [] : firstOfEach(checked.error.issues);
  const category = known.categories.find(({ id, name }) => [id, name].includes(sent.category ?? ''));
  if (sent.category && !category) errors.push({ field: 'category', message: importMessages.noCategory });
  if (asksForArchive(row, product)) errors.push({ field: 'archived', message: importMessages.archived });
  errors.push(...takenErrors(row, product, known, seen));
  const numbers = readNumbers(row, errors);
  if (product && isStale(numbers, product)) errors.push({ field: 'version', message: importMessages.changed });
  if (product && checked.success)
    errors.push(...stockErrors(product, Number(checked.data.quantity), numbers.quantityWas));
  if (errors.length > 0 || !checked.success || !category) return refuse(errors);

  const { quantity } = checked.data;
  const of = { quantity: Number(quantity), category: category.id, categoryId: category.id };
  const form = { ...formOfTexts(checked.data), ...numbers, ...of };
  const sizeGroup = sizeGroupOf(row, product);
  if (sizeGroup && !joinsGroup(sizeGroup, known, seen))
    return refuse([{ field: 'sizeGroup', message: productMessages.tooManySizes }]);
  const changes = changesOf(was, { ...form, category: category.name }, product);
  const shown = changes.map(({ field, from, to }) => ({ field, from: short(from), to: short(to) }));
  if (sizeGroup) {
    const { was, is, text } = sizeGroup;
    changes.push({ field: 'sizeGroup', from: was ?? '', to: is ?? '' });
    shown.push({ field: 'sizeGroup', from: was ?? '', to: short(storable(text)) });
  }
  const action = product ? (changes.length > 0 ? 'change' : 'nothing') : 'create';
  return { ...about, name: form.name, action, changes: shown, texts: changes, form, sizeGroup };
}

const longestName = 120;
const nameOf = ({ cells }: CsvRow, product: ProductRow | undefined) =>
  storable((cells.get('name')?.trim() || product?.name || '').slice(0, longestName));

/** The response is saved in the database, which accepts neither NUL nor a lone surrogate from a truncated text. */
export const storable = (text: string) => text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');

/** Whether the row would delete or restore its product, which an import may not: elsewhere it asks for confirmation. */
function asksForArchive({ cells }: CsvRow, product: ProductRow | undefined): boolean {
  const isArchived = product !== undefined && product.archivedAt !== null;
  const cell = cells.get('archived')?.trim().toLowerCase() ?? '';
  return cell !== '' && cell !== String(isArchived);
}

/** The form fields in the row. Spreadsheets write TRUE for true. */
function textsOf({ cells }: CsvRow): Partial<RowText> {
  const notOfTheForm = new Set(['id', 'quantityWas', 'sizeGroup', 'version', 'archived']);
  const isFlag = (name: string) => productFields[name as ProductFieldName]?.kind === 'flag';
  const texts = [...cells]
    .filter(([name, cell]) => !notOfTheForm.has(name) && !(name === 'slug' && cell.trim() === '')) // blank: stays
    .map(([name, cell]) => [name, isFlag(name) ? cell.trim().toLowerCase() : cell.trim()]);
  return Object.fromEntries(texts) as Partial<RowText>;
}

/** `quantityWas` only counts together with a new quantity. */
function readNumbers({ cells }: CsvRow, errors: FieldError[]): { version?: number; quantityWas?: number } {
  const numbers: { version?: number; quantityWas?: number } = {};
  for (const field of ['version', 'quantityWas'] as const) {
    const cell = cells.get(field)?.trim() ?? '';
    if (/^\d{1,9}$/.test(cell)) numbers[field] = Number(cell);
    else if (cell !== '') errors.push({ field, message: 'Enter a whole number' });
  }
  if (!cells.has('quantity')) delete numbers.quantityWas;
  return numbers;
}

/** A new quantity requires the exported one, so that sales since the export are kept. */
function stockErrors(product: ProductRow, quantity: number, quantityWas: number | undefined): FieldError[] {
  if (quantityWas === undefined)
    return quantity === product.quantity ? [] : [{ field: 'quantity', message: importMessages.quantityWas }];
  const after = product.quantity + quantity - quantityWas;
  if (after < 0) return [{ field: 'quantity', message: stockMessages.tooFew }];
  return after > catalogLimits.quantity ? [{ field: 'quantity', message: stockMessages.tooMany }] : [];
}

function firstOfEach(issues: readonly { path: PropertyKey[]; message: string }[]): FieldError[] {
  const messages = new Map<string, string>();
  for (const { path, message } of issues) {
    const field = path.join('.');
    if (!messages.has(field)) messages.set(field, message);
  }
  return [...messages].map(([field, message]) => ({ field, message }));
}

const longestShown = 200;
const short = (text: string) => (text.length > longestShown ? `${storable(text.slice(0, longestShown))}…` : text);

function changesOf(was: RowText | undefined, form: Form, product: ProductRow | undefined): FieldChange[] {
  const quantity = product ? product.quantity + form.quantity - (form.quantityWas ?? product.quantity) : form.quantity;
  const is: RowText = { ...asForm(factsOf(form, product), form.category), quantity: String(quantity) };
  return Object.entries(is).flatMap(([field, to]) => {
    const from = was?.[field as keyof RowText] ?? '';
    const isSent = form[field as keyof Form] !== undefined;
    return from === to || !isSent ? [] : [{ field, from, to }];
  });
}

/** Adds to each error the cell of the CSV file it is about, such as C7. */
const withCells = (planned: PlannedRow, { cellOf }: CsvRow): PlannedRow => ({
  ...planned,
  errors: planned.errors.map((error) => {
    const cell = cellOf(error.field);
    return { ...error, ...(cell && { cell }) };
  }),
});
