/**
 * Finds what the rows of a file mean in this shop: which product each is about, which category it names, and what a new
 * product gets that the file does not say. The preview and the job prepare rows alike, so the job does what was shown
 * unless the shop has changed since.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { categoryNamePattern, categoryTitle } from '../../shared/catalog';
import { importedCategory, importNotes } from '../../shared/imports';
import { photoLinkProblem } from '../../shared/photoLinks';
import { photoLimits } from '../../shared/pictureUploads';
import { slugOf } from '../../shared/slugs';
import { planRow, readKnown, type Known, type PlannedRow } from '../catalog/importPlan';
import { findAliasClashes, type AliasClash } from '../catalog/aliases';
import { uuidPattern } from '../core/ids';
import type { Connection } from '../db/core/transact';
import type { ImportedPhoto } from '../db/schema/imports';
import type { CsvRow } from '../http/csv/csvFile';
import { findKnownPhotos } from '../pictures/photoFetches';
import type { Source } from './fileColumns';
import { findBookedRows, findSkuOwners, findSourceProducts, type BookedRow, type SourceProduct } from './repository';
import { longestLink, type ImportedRow } from './rows';

export type PreparedRow = {
  row: ImportedRow;
  planned: PlannedRow;
  notes: string[];
  /** The category that has to be created first. */
  newCategory?: NewCategory;
  /** Photos that the product does not have yet. */
  photos: ImportedPhoto[];
  /** What its entry became before. */
  link: SourceProduct | undefined;
};
export type NewCategory = { name: string; title: string | null };

type Options = {
  /** Locks the products until the transaction ends, to apply the rows. */
  isLocked: boolean;
  /** The ids, SKUs and addresses of earlier rows; it gets those of these rows. */
  seen: Set<string>;
};

/** Other requests get their turn in between. */
const rowsPerTurn = 20;

export async function prepareRows(
  connection: Connection,
  source: Source,
  rows: readonly ImportedRow[],
  { isLocked, seen }: Options,
): Promise<PreparedRow[]> {
  const matched = await matchProducts(connection, source, rows);
  const files = matched.map(({ row, cells }) => ({ line: row.line, cells, cellOf: cellOf(row) }));
  const known = await readKnown(connection, files, { isLocked });
  const categories: Category[] = [...known.categories];
  const booked = await findBookedRows(
    connection,
    matched.filter(hasNewUnits).map(({ cells }) => cells.get('id') ?? ''),
  );
  const photos = await findKnownPhotos(connection, [...known.products.keys()]);
  const clashes = await findAliasClashes(connection, matched.flatMap(addressOf));
  const prepared: PreparedRow[] = [];
  for (const [at, { row, cells, notes, link, isFirst }] of matched.entries()) {
    if (at > 0 && at % rowsPerTurn === 0) await turn();
    const newCategory = resolveCategory(cells, categories, source);
    setStock(cells, { link, booked, known, notes });
    const isNew = !cells.get('id');
    if (isNew) fillNew(cells);
    const file = files[at] ?? { line: row.line, cells, cellOf: cellOf(row) };
    const planned = planUnlessStale(file, { ...known, categories }, seen);
    const all = [...row.notes, ...notes, ...archiveNotes(row, planned, known), ...addressNotes(row, clashes)];
    const added = newPhotos(row, photos.get(planned.id ?? ''), all);
    prepared.push({
      row,
      planned: withPhotos(planned, added.length),
      notes: all,
      photos: added,
      link: isFirst ? undefined : link,
      ...(newCategory && { newCategory }),
    });
  }
  return prepared;
}

const cellOf =
  ({ places }: ImportedRow) =>
  (field: string) =>
    places[field]?.cell;

type Matched = {
  row: ImportedRow;
  cells: Map<string, string>;
  notes: string[];
  link?: SourceProduct | undefined;
  isFirst?: boolean;
};

/**
 * A row without an id is about the product that the same entry became before, else about the one on sale with its SKU. Its
 * stock changes by the difference to the units of the last file, so that sales in between are kept.
 */
async function matchProducts(connection: Connection, source: Source, rows: readonly ImportedRow[]): Promise<Matched[]> {
  const open = rows.filter(({ cells }) => !cells.get('id'));
  const keys = open.flatMap(({ key }) => key ?? []);
  const skus = open.map(({ cells }) => skuOf(cells)).filter(Boolean);
  const sources = await findSourceProducts(connection, source, keys);
  const owners = await findSkuOwners(connection, skus);
  return rows.map((row) => {
    const cells = new Map(row.cells);
    if (cells.get('id')) return { row, cells, notes: [] };
    const known = row.key === null ? undefined : sources.get(row.key);
    const id = known?.productId ?? owners.get(skuOf(cells));
    if (id === undefined) return { row, cells, notes: [] };
    cells.set('id', id);
    return { row, cells, notes: [], link: known ?? { productId: id, units: null }, isFirst: !known };
  });
}

/** Whether a row of an export books units for a product that exists. */
const hasNewUnits = ({ cells }: Pick<Matched, 'cells'>) =>
  uuidPattern.test(cells.get('id') ?? '') && Boolean(cells.get('quantityWas')) && !isSame(cells);
const isSame = (cells: ReadonlyMap<string, string>) => cells.get('quantity') === cells.get('quantityWas');

type StockOf = {
  link: SourceProduct | undefined;
  booked: readonly BookedRow[];
  known: Known;
  notes: string[];
};

/**
 * What the units of a row mean for a product that exists. A row with the units of the export keeps its difference, or what
 * an earlier import of the same export has not booked of it. A known entry counts from the units of its last file, and any
 * other row that was found by its SKU from the present stock.
 */
function setStock(cells: Map<string, string>, { link, booked, known, notes }: StockOf): void {
  if (!cells.has('quantity')) return;
  if (cells.has('quantityWas')) {
    const before = hasNewUnits({ cells }) ? booked.find((row) => isOfSameExport(row, cells)) : undefined;
    if (!before) return;
    const isBooked = cells.get('quantity') === before.units;
    cells.set('quantityWas', before.units);
    notes.push(isBooked ? importNotes.stockRepeated : importNotes.stockMended);
  } else if (link) {
    const present = known.products.get(link.productId)?.quantity;
    cells.set('quantityWas', String(link.units ?? present ?? ''));
  }
}

const isOfSameExport = ({ productId, unitsWas, version }: BookedRow, cells: ReadonlyMap<string, string>) =>
  productId === cells.get('id')?.toLowerCase() &&
  unitsWas === cells.get('quantityWas') &&
  version === (cells.get('version') ?? null);

/** A product that changed since the export is wrong only if the row would change it again. */
function planUnlessStale(file: CsvRow, known: Known, seen: Set<string>): PlannedRow {
  const planned = planRow(file, known, seen);
  if (planned.errors.length === 0 || planned.errors.some(({ field }) => field !== 'version')) return planned;
  const cells = new Map(file.cells);
  cells.delete('version');
  const without = planRow({ ...file, cells }, known, new Set());
  return without.action === 'nothing' ? without : planned;
}

const skuOf = (cells: ReadonlyMap<string, string>) => (cells.get('sku') ?? '').trim().toLowerCase();

type Category = Known['categories'][number] & { isNew?: true };
const longestTitle = 80;

/** Sets the cell to the category's name. @returns the category if it does not exist yet; it joins the list */
function resolveCategory(cells: Map<string, string>, categories: Category[], source: Source): NewCategory | undefined {
  const text = cells.get('category')?.trim() || (cells.get('id') || source === 'shop' ? '' : importedCategory);
  if (text === '') {
    if (cells.get('id')) cells.delete('category'); // it stays
    return undefined;
  }
  const slug = slugOf(text, 40);
  const found = categories.find(
    (category) =>
      category.id === text || category.name === slug || categoryTitle(category).toLowerCase() === text.toLowerCase(),
  );
  if (found) {
    cells.set('category', found.name);
    return found.isNew ? { name: found.name, title: found.title } : undefined;
  }
  if (slug === '') return undefined; // the row is wrong: the category does not exist
  const title = categoryNamePattern.test(text) ? null : text.slice(0, longestTitle);
  categories.push({ id: randomUUID(), name: slug, title, description: text, createdAt: new Date(0), isNew: true });
  cells.set('category', slug);
  return { name: slug, title };
}

/** A new product can be bought once it has units, and has at least its name as description. */
function fillNew(cells: Map<string, string>): void {
  if (!cells.get('availability')) cells.set('availability', 'true');
  if (!cells.get('quantity')) cells.set('quantity', '0');
  if (!cells.get('description') && cells.get('name')) cells.set('description', cells.get('name') ?? '');
}

const addressOf = ({ row: { oldAddress }, cells }: Matched) =>
  oldAddress === undefined ? [] : [{ path: oldAddress, productId: cells.get('id') }];

function addressNotes({ oldAddress = '' }: ImportedRow, clashes: ReadonlyMap<string, AliasClash>): string[] {
  const clash = clashes.get(oldAddress);
  if (clash === undefined) return [];
  return [clash === 'category' ? importNotes.addressOfCategory(oldAddress) : importNotes.addressOfProduct(oldAddress)];
}

/** @param notes gets one for each link that can't be loaded */
function newPhotos({ photos }: ImportedRow, known: ReadonlySet<string> | undefined, notes: string[]): ImportedPhoto[] {
  return photos.slice(0, photoLimits.photos).filter(({ url }) => {
    const problem = photoLinkProblem(url);
    if (problem !== undefined) notes.push(importNotes.photo(url.slice(0, longestLink), problem));
    return problem === undefined && !known?.has(url);
  });
}

/** A new photo is a change. */
function withPhotos(planned: PlannedRow, added: number): PlannedRow {
  if (added === 0 || planned.action === 'refuse') return planned;
  const changes = [...planned.changes, { field: 'photos', from: '', to: String(added) }];
  return { ...planned, changes, action: planned.action === 'nothing' ? 'change' : planned.action };
}

function archiveNotes({ isArchived }: ImportedRow, { id }: PlannedRow, { products }: Known): string[] {
  const product = id === null ? undefined : products.get(id);
  if (product?.archivedAt) return [importNotes.isDeleted];
  return !product && isArchived ? [importNotes.archived] : [];
}
