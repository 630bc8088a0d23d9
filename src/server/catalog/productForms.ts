/** Staff's product forms: what is saved, what is refused because somebody else was faster, what goes to the ledger. */
import { randomUUID } from 'node:crypto';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import type { Tx } from '../db/transact';
import { conflict, notFound, Problem, type FieldError } from '../http/problems';
import { uuidPattern } from '../ids';
import { adjustStock } from '../stock/service';
import { factsChanged } from './changes';
import * as repository from './repository';
import type { CategoryRow, ProductFacts, ProductRow } from './repository';
import { categoryNotFound, getProduct } from './service';

type ProductForm = Schema<'ProductForm'>;
/** Who sent the form, and when. */
export type Sender = { byUserId: string; now: Date };

/**
 * Makes a product in the category of the path; the form's own `category` says the same and is not read. Its quantity
 * comes from the ledger's first row, 'Opening stock'.
 * @throws Problem 404 category_not_found, 501 not_built for a picture
 * Source: specification §7; decisions §4
 */
export async function createProduct(
  tx: Tx,
  categoryId: string,
  form: ProductForm,
  { byUserId, now }: Sender,
): Promise<ProductRow> {
  refusePicture(form.file);
  const category = await requireCategory(tx, categoryId);
  const id = randomUUID();
  const facts = factsOf(form, category, noneSent);
  await repository.insertProduct(tx, { ...facts, id, quantity: 0, createdAt: now });
  await adjustStock(tx, { productId: id, units: form.quantity, reason: 'Opening stock', byUserId, now });
  factsChanged(tx);
  return getProduct(tx, id);
}

/**
 * Saves a product's form. Optional facts that were not sent stay as they are. With `quantityWas` only the difference is
 * booked, so that what was sold while the form was open stays sold; with `version` a form that was opened before
 * somebody else's change is refused. Without them the call sets what it is given.
 * @throws Problem 404 product_not_found or category_not_found, 409 product_changed with both values of each field,
 *   409 not_enough_stock, 501 not_built for a picture
 * Source: specification §7; decisions §4
 */
export async function updateProduct(
  tx: Tx,
  id: string,
  form: ProductForm,
  { byUserId, now }: Sender,
): Promise<ProductRow> {
  refusePicture(form.file);
  const product = await repository.lockProduct(tx, id);
  if (!product) throw notFound('product_not_found', 'Product not found');
  const category = await requireCategory(tx, form.category);
  const facts = factsOf(form, category, product);
  if (form.version !== undefined && form.version !== product.version) throw productChanged(product, facts, category);
  const version = await repository.changeFacts(tx, id, facts);
  if (version !== product.version) factsChanged(tx);
  const units = form.quantity - (form.quantityWas ?? product.quantity);
  await adjustStock(tx, { productId: id, units, reason: 'Product form', byUserId, now });
  return getProduct(tx, id);
}

type OptionalFacts = Pick<ProductFacts, 'unitSize' | 'origin' | 'heatLevel' | 'allergens' | 'otherNames'>;
const noneSent: OptionalFacts = { unitSize: null, origin: null, heatLevel: null, allergens: [], otherNames: [] };

/** @param otherwise what counts for an optional fact that was not sent; one that was sent empty is taken away */
const factsOf = (form: ProductForm, category: CategoryRow, otherwise: OptionalFacts): ProductFacts => ({
  categoryId: category.id,
  name: form.name.trim(),
  description: form.description.trim(),
  priceCents: toCents(Number(form.price)),
  availability: form.availability,
  unitSize: form.unitSize === undefined ? otherwise.unitSize : form.unitSize.trim() || null,
  origin: form.origin === undefined ? otherwise.origin : form.origin.trim() || null,
  heatLevel: form.heatLevel ?? otherwise.heatLevel,
  allergens: form.allergens?.flatMap(asList) ?? otherwise.allergens,
  otherNames: form.otherNames?.flatMap(asList) ?? otherwise.otherNames,
});

/** A list arrives as repeated fields, or as one with commas. */
const asList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

function productChanged(product: ProductRow, sent: ProductFacts, category: CategoryRow): Problem {
  const is = { ...shown(product), category: product.category.name };
  const asked = { ...shown(sent), category: category.name };
  const errors = Object.keys(is).flatMap((field): FieldError[] => {
    const [now, yours] = [is[field as keyof typeof is], asked[field as keyof typeof asked]];
    return now === yours ? [] : [{ field, message: `It is now ${now}, your form has ${yours}` }];
  });
  const fields = errors.map(({ field, message }) => `${field}: ${message}`).join('. ');
  const message = 'This product was changed since you opened the form';
  return conflict('product_changed', fields ? `${message}. ${fields}` : message, errors);
}

/** The facts in words, by the names that the form's fields have. */
const shown = (facts: Omit<ProductFacts, 'categoryId'>) => ({
  name: quoted(facts.name),
  description: quoted(facts.description),
  price: formatMoney(facts.priceCents),
  availability: facts.availability ? 'Available' : 'Not Available',
  unitSize: quoted(facts.unitSize),
  origin: quoted(facts.origin),
  heatLevel: quoted(facts.heatLevel),
  allergens: quoted(facts.allergens.join(', ')),
  otherNames: quoted(facts.otherNames.join(', ')),
});

const quoted = (value: string | number | null) => (value === null || value === '' ? 'empty' : `'${value}'`);

/** A form in a browser sends an empty file where none was chosen. */
function refusePicture(file: unknown): void {
  if (file === undefined || file === '' || (Buffer.isBuffer(file) && file.length === 0)) return;
  throw new Problem(501, 'not_built', 'Pictures cannot be uploaded yet; nothing was saved');
}

/** A category by its id or its name. @throws Problem 404 category_not_found */
async function requireCategory(tx: Tx, idOrName: string): Promise<CategoryRow> {
  const category = uuidPattern.test(idOrName)
    ? await repository.findCategory(tx, idOrName)
    : await repository.findCategoryByName(tx, idOrName);
  if (!category) throw categoryNotFound();
  return category;
}
