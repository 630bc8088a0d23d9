/** Saves staff's product forms, rejects stale ones, and books stock. */
import { randomUUID } from 'node:crypto';
import { categoryTitle } from '../../shared/catalog';
import { mistakesBetween } from '../../shared/catalogForms';
import { productMessages } from '../../shared/catalogStaff';
import type { Schema } from '../../shared/contract';
import { changed, writeAudit, writeAudits, type Audited } from '../audit/service';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { isSent } from '../http/contract/multipart';
import { conflict, type FieldError, invalid, type Problem } from '../http/core/problems';
import { uuidPattern } from '../core/ids';
import { adjustStock, writeOpeningStock } from '../stock/service';
import { factsChanged } from '../db/core/changes';
import * as repository from './repository';
import type { CategoryRow, ProductFacts, ProductRow } from './repository';
import { audited, differencesOf, isStale, refuseTakenSku } from './productChecks';
import { asForm, factsOf, type StoredFacts } from './productFacts';
import { lockWithSizes, makeWay, saveSizes, sizeConflicts, stockReasonOf } from './productSizes';
import { takeNewSlugs, takeSlug } from './slugs';
import { categoryNotFound, getProduct, productNotFound } from './service';

type ProductForm = Schema<'ProductForm'>;
type Doing = { byUserId: string; by: Actor; now: Date };
/** Accepts a picture that was sent with a form, as an unchecked file. */
export type AcceptPicture = (tx: Tx, upload: Doing & { productId: string; file: unknown }) => Promise<void>;
/** The sender of the form, and the time. */
export type Sender = Doing & { acceptPicture: AcceptPicture; isImport?: true };

/**
 * Creates a product in the category of the path; the form's own `category` is ignored. Its quantity is the ledger's first
 * row, 'Starting stock'. Its further sizes are created too.
 * @param createdAt determines its position in lists
 * @returns its id
 * @throws Problem 404 category_not_found, 409 sku_taken, slug_taken, 400 invalid_request, not_a_picture, 413 picture_too_large
 * Rule: docs/rules/catalog.md, Stock
 */
export async function createProduct(
  tx: Tx,
  categoryId: string,
  form: ProductForm,
  sender: Sender,
  createdAt: Date = sender.now,
): Promise<string> {
  if (form.removedSizes?.length || form.sizes?.some((size) => size.id)) throw invalid(productMessages.onlyNewSizes);
  const [id = ''] = await createProducts(tx, [{ categoryId, form, createdAt }], sender);
  if (form.sizes) await saveSizes(tx, await getProduct(tx, id), form, new Map(), sender);
  await acceptPictureOf(tx, id, form, sender);
  return id;
}

/** An import may create products that start as archived. */
export type NewProduct = { categoryId: string; form: ProductForm; createdAt: Date; isArchived?: boolean };

/**
 * The same for products without further sizes and pictures, all or none, in as many statements as for one.
 * @returns their ids, in their order
 */
export async function createProducts(tx: Tx, wanted: readonly NewProduct[], sender: Sender): Promise<string[]> {
  const { byUserId, by, now, isImport } = sender;
  const categories = new Map<string, CategoryRow>();
  for (const { categoryId } of wanted)
    if (!categories.has(categoryId)) categories.set(categoryId, await requireCategory(tx, categoryId));
  const sent = wanted.map((product) => ({ ...product, id: randomUUID(), facts: factsOf(product.form) }));
  for (const { facts } of sent) requireConsistent(facts);
  const asked = sent.map(({ id, facts: { name, slug } }) => ({ productId: id, name, slug }));
  const slugs = await takeNewSlugs(tx, asked, now);
  const made = sent.map(({ id, facts, categoryId, form: { quantity }, createdAt, isArchived = false }) => ({
    id,
    facts: { categoryId: categories.get(categoryId)?.id ?? categoryId, ...facts, slug: slugs.get(id) ?? null },
    quantity,
    createdAt,
    archivedAt: isArchived ? now : null,
  }));
  await refuseTakenSku(
    repository.insertProducts(
      tx,
      made.map(({ facts, ...rest }) => ({ ...facts, ...rest })),
    ),
  );
  const stock = made.map(({ id, quantity }) => ({ productId: id, units: quantity }));
  await writeOpeningStock(tx, stock, { byUserId, now });
  factsChanged(tx);
  const action = isImport ? 'product.created_by_import' : 'product.created';
  const entries = made.map(({ id, facts, quantity }): Audited => {
    const target = { kind: 'product', id } as const;
    return { by, action, target, after: audited(facts, quantity), now };
  });
  await writeAudits(tx, entries);
  return made.map(({ id }) => id);
}

/**
 * Saves a product's form. Optional facts that were not sent are unchanged. With `quantityWas`, only the difference is booked,
 * so that sales made while the form was open are kept. With `version`, a form opened before another user's change is
 * rejected. Without them, the call sets the given values. Its further sizes are saved with it, all or none.
 * @throws Problem 404 product_not_found or category_not_found, 409 product_changed with both values of each field,
 *   409 sku_taken, slug_taken, not_enough_stock or too_many_units, 400 invalid_request, not_a_picture, 413 picture_too_large
 * Rule: docs/rules/catalog.md, Product form
 */
export async function updateProduct(tx: Tx, id: string, form: ProductForm, sender: Sender): Promise<ProductRow> {
  const { byUserId, by, now, isImport } = sender;
  const known = await lockWithSizes(tx, id, form);
  const product = known.get(id.toLowerCase());
  if (!product) throw productNotFound();
  const category = await requireCategory(tx, form.category);
  const facts = { categoryId: category.id, ...factsOf(form, product) };
  const conflicts = sizeConflicts(form, product, known);
  if (isStale(form, product) || conflicts.length > 0) throw productChanged(product, facts, category, conflicts);
  requireConsistent(facts);
  const isMoved = form.slug !== undefined && facts.slug !== product.slug;
  if (isMoved) facts.slug = await takeSlug(tx, { ...facts, productId: id }, now);
  await makeWay(tx, product, form, known, sender);
  const version = await refuseTakenSku(repository.changeFacts(tx, id, facts));
  if (version !== product.version) factsChanged(tx);
  const units = form.quantity - (form.quantityWas ?? product.quantity);
  await adjustStock(tx, { productId: id, units, reason: stockReasonOf(form), byUserId, now });
  const difference = changed(audited(product, product.quantity), audited(facts, product.quantity + units));
  const action = isImport ? 'product.changed_by_import' : 'product.changed';
  if (difference) await writeAudit(tx, { by, action, target: { kind: 'product', id }, ...difference, now });
  await saveSizes(tx, { ...product, ...facts }, form, known, sender);
  await acceptPictureOf(tx, id, form, sender);
  return getProduct(tx, id);
}

async function acceptPictureOf(tx: Tx, productId: string, { file }: ProductForm, sender: Sender): Promise<void> {
  const { acceptPicture, ...doing } = sender;
  if (isSent(file)) await acceptPicture(tx, { ...doing, productId, file });
}

/** The form's own check (catalogForms.ts) doesn't know a field that was not sent. @throws Problem 400 invalid_request */
function requireConsistent({ priceCents, compareAtCents, netGrams, netMillilitres }: StoredFacts): void {
  const errors = mistakesBetween({ price: priceCents, compareAtPrice: compareAtCents, netGrams, netMillilitres });
  if (errors[0]) throw invalid(errors[0].message, errors);
}

/** Reports the current value of each field that differs, in words and as a form value. @param more those of the sizes */
function productChanged(
  product: ProductRow,
  sent: ProductFacts,
  category: CategoryRow,
  more: readonly FieldError[],
): Problem {
  const values = { is: asForm(product, product.category.name), asked: asForm(sent, category.name) };
  const titles = { is: categoryTitle(product.category), asked: categoryTitle(category) };
  const shown = { is: asForm(product, titles.is), asked: asForm(sent, titles.asked) };
  const errors = [...differencesOf(product, values, shown), ...more];
  const fields = errors.map(({ field, message }) => `${field}: ${message}`).join('. ');
  const message = productMessages.changedMeanwhile;
  return conflict('product_changed', fields ? `${message}. ${fields}` : message, errors);
}

/** Finds a category by id or name, and locks it against deletion until the product is in it. @throws Problem 404 category_not_found */
async function requireCategory(tx: Tx, idOrName: string): Promise<CategoryRow> {
  const category = await repository.lockCategory(
    tx,
    uuidPattern.test(idOrName) ? { id: idOrName } : { name: idOrName },
  );
  if (!category) throw categoryNotFound();
  return category;
}
