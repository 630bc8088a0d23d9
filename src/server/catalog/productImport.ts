/**
 * Imports products from CSV. Each row is checked separately for changes and errors, then all rows are imported or none.
 * Dry run and import use the same checks. The import does exactly what the dry run showed, or is rejected because a product
 * changed.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { v5 as uuidOf } from 'uuid';
import { catalogLimits } from '../../shared/catalog';
import { productForm } from '../../shared/catalogForms';
import { productFields, type ProductFieldName } from '../../shared/productFields';
import { importMessages, productMessages, stockMessages } from '../../shared/catalogStaff';
import type { Schema } from '../../shared/contract';
import { writeAudit } from '../audit/service';
import type { Tx } from '../db/core/transact';
import type { CsvRow } from '../http/csv/csvFile';
import { conflict, type FieldError } from '../http/core/problems';
import { uuidPattern } from '../core/ids';
import { readProductCsv } from './productCsv';
import { findSlugs } from './slugs';
import { createProduct, isStale, updateProduct, type Sender } from './productForms';
import { asForm, factsOf, formOfTexts, type ProductText } from './productFacts';
import { assignSizeGroup } from './sizes';
import { findFormerImport, noteImport } from './importHistory';
import {
  findAllCategories,
  findLastCreation,
  findSkus,
  lockProducts,
  type CategoryRow,
  type ProductRow,
} from './repository';

type Form = Schema<'ProductForm'>;
/** The texts of a row. */
type RowText = ProductText & { quantity: string };
/** The planned effect of a row. `form` is set if the row has no errors. */
type Planned = Schema<'ProductImportRow'> & {
  form?: Form & { categoryId: string };
  /** Set if the row changes the group of sizes. */
  sizeGroup?: SizeGroupChange | undefined;
};
type Known = {
  products: ReadonlyMap<string, ProductRow>;
  categories: readonly CategoryRow[];
  /** Which product has the file's SKUs (in small letters) and addresses. */
  owners: Record<'sku' | 'slug', ReadonlyMap<string, string>>;
};

/**
 * @param body.apply false: dry run
 * @param body.again imports a file that was imported before, which may add its units to the stock a second time
 * @throws Problem 400 invalid_csv, 413 payload_too_large, 409 import_refused when a row to import has errors,
 *   409 import_repeated
 */
export async function importProducts(
  tx: Tx,
  { file, apply, again = false }: { file: unknown; apply: boolean; again?: boolean | undefined },
  sender: Sender & { timeZone: () => Promise<string> },
): Promise<Schema<'ProductImportResult'>> {
  const rows = readProductCsv(file);
  const known = await readKnown(tx, rows);
  const planned = await planAll(rows, known);
  const isWork = planned.some(({ action }) => action !== 'nothing');
  const note = () => (apply ? noteImport(tx, rows, sender.now) : findFormerImport(tx, rows));
  const importedAt = isWork ? await note() : undefined;
  // checked before row errors: rows that were imported already would fail as stale
  if (apply && importedAt && !again)
    throw conflict('import_repeated', importMessages.repeated(clockTime(importedAt, await sender.timeZone())));
  const mistakes = planned.flatMap(({ line, errors }) =>
    errors.map(({ field, message }): FieldError => ({ field: `${line}.${field}`, message })),
  );
  if (apply && mistakes.length > 0) throw conflict('import_refused', importMessages.refused, mistakes.slice(0, 200));
  const count = (action: Planned['action']) => planned.filter((row) => row.action === action).length;
  if (apply) {
    const created = planned.filter(({ action }) => action === 'create');
    const firstAt = await firstCreation(tx, created.length, sender.now);
    for (const row of inTurn(planned))
      await done(tx, row, { ...sender, isImport: true }, new Date(firstAt + created.indexOf(row)));
    await auditImport(tx, { created: count('create'), changed: count('change') }, sender);
  }
  return {
    applied: apply,
    ...(importedAt && { importedAt: importedAt.toISOString() }),
    created: count('create'),
    changed: count('change'),
    unchanged: count('nothing'),
    refused: count('refuse'),
    rows: planned.map(shown),
  };
}

/**
 * @returns the creation time of the first new product. Each gets a distinct millisecond after all existing products, so that
 *   lists show the file's order, even if it is imported in parts
 */
async function firstCreation(tx: Tx, rows: number, now: Date): Promise<number> {
  const at = now.getTime() - (rows - 1);
  const last = rows === 0 ? undefined : await findLastCreation(tx);
  return last === undefined ? at : Math.max(at, last.getTime() + 1);
}

/** One entry for the whole import. Each product also has its own entry. */
async function auditImport(tx: Tx, after: { created: number; changed: number }, { by, now }: Sender): Promise<void> {
  if (after.created + after.changed === 0) return;
  await writeAudit(tx, { by, action: 'product.imported', target: { kind: 'product', id: null }, after, now });
}

const clockTime = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(at);

/** Adds to each error the cell of the CSV file it is about, such as C7. */
const withCells = (planned: Planned, { cellOf }: CsvRow): Planned => ({
  ...planned,
  errors: planned.errors.map((error) => {
    const cell = cellOf(error.field);
    return { ...error, ...(cell && { cell }) };
  }),
});

const rowsPerTurn = 20;

/** Yields to the event loop between batches, so that a large file does not block other requests. */
async function planAll(rows: readonly CsvRow[], known: Known): Promise<Planned[]> {
  const planned: Planned[] = [];
  const seen = new Set<string>();
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerTurn === 0) await turn();
    planned.push(withCells(plan(row, known, seen), row));
  }
  return planned;
}

function shown(row: Planned): Schema<'ProductImportRow'> {
  const { form: _, sizeGroup: __, ...answer } = row;
  return answer;
}

async function done(tx: Tx, { action, id, form, sizeGroup }: Planned, sender: Sender, createdAt: Date): Promise<void> {
  if (!form || action === 'nothing') return;
  const { categoryId, ...fields } = form;
  const productId = id ?? (await createProduct(tx, categoryId, fields, sender, createdAt));
  if (id !== null) await updateProduct(tx, id, fields, sender);
  if (!sizeGroup) return;
  const { by, now } = sender;
  await assignSizeGroup(tx, [{ id: productId, sizeGroup: sizeGroup.was }], sizeGroup.is, by, now);
}

/** Rows with an address come first, before a new product's name takes it. */
const inTurn = (planned: readonly Planned[]): Planned[] =>
  planned.toSorted((one, other) => Number(!one.form?.slug) - Number(!other.form?.slug));

async function readKnown(tx: Tx, rows: readonly CsvRow[]): Promise<Known> {
  const ids = rows.map(idOf).filter((id) => uuidPattern.test(id));
  const products = await lockProducts(tx, [...new Set(ids)]);
  const categories = await findAllCategories(tx);
  const valuesOf = (field: 'sku' | 'slug') => [...new Set(rows.map((row) => uniqueOf(row, field)))].filter(Boolean);
  const owners = { sku: await findSkus(tx, valuesOf('sku')), slug: await findSlugs(tx, valuesOf('slug')) };
  return { products: new Map(products.map((product) => [product.id, product])), categories, owners };
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
  const text = cell.trim();
  const word = text.toLowerCase();
  const is = text === '' ? null : uuidPattern.test(word) ? word : uuidOf(word, wordGroups);
  const was = product?.sizeGroup ?? null;
  return is === was ? undefined : { was, is, text };
}

/** @param seen the ids, SKUs and addresses of the previous rows */
function plan(row: CsvRow, known: Known, seen: Set<string>): Planned {
  const id = idOf(row);
  const product = known.products.get(id);
  const refuse = (errors: FieldError[]): Planned => ({ ...about, action: 'refuse', errors });
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
  const changes = changesOf(was, { ...form, category: category.name }, product);
  if (sizeGroup) changes.push({ field: 'sizeGroup', from: sizeGroup.was ?? '', to: short(storable(sizeGroup.text)) });
  const action = product ? (changes.length > 0 ? 'change' : 'nothing') : 'create';
  return { ...about, name: form.name, action, changes, form, sizeGroup };
}

const longestName = 120;
const nameOf = ({ cells }: CsvRow, product: ProductRow | undefined) =>
  storable((cells.get('name')?.trim() || product?.name || '').slice(0, longestName));

/** The response is saved in the database, which accepts neither NUL nor a lone surrogate from a truncated text. */
const storable = (text: string) => text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');

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

function changesOf(was: RowText | undefined, form: Form, product: ProductRow | undefined): Planned['changes'] {
  const quantity = product ? product.quantity + form.quantity - (form.quantityWas ?? product.quantity) : form.quantity;
  const is: RowText = { ...asForm(factsOf(form, product), form.category), quantity: String(quantity) };
  return Object.entries(is).flatMap(([field, to]) => {
    const from = was?.[field as keyof RowText] ?? '';
    const isSent = form[field as keyof Form] !== undefined;
    return from === to || !isSent ? [] : [{ field, from: short(from), to: short(to) }];
  });
}
