/** Products with particular facts. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { products } from '../../src/server/db/schema/tables';
import { columnOf, productFields, type ProductField, type ProductFieldName } from '../../src/shared/productFields';
import type { TestShop } from './shop';

/** A product with this SKU. */
export async function withSku(shop: TestShop, sku: string, archivedAt: Date | null = null) {
  const { id, categoryId } = await shop.stock();
  await shop.db.update(products).set({ sku, archivedAt }).where(eq(products.id, id));
  return { id, categoryId };
}

/** @returns what a form could send for a field, other than the values of `shop.stock()`; each time another SKU and address */
export function sampleText(name: ProductFieldName): string {
  if (name === 'sku' || name === 'slug') return randomUUID();
  if (name === 'barcode') return '5901234123457';
  const field = productFields[name];
  switch (field.kind) {
    case 'text':
      return `Other ${name}`.slice(0, field.maxLength);
    case 'money':
      return '98.76';
    case 'flag':
      return 'false';
    case 'level':
      return String(field.most);
    case 'amount':
      return '110';
    case 'choice':
      return Object.keys(field.choices)[0] ?? '';
    case 'month':
      return '2028-05';
    default:
      return 'one, two';
  }
}

/** @returns the text as stored in its column */
export function sampleStored(name: ProductFieldName, text = sampleText(name)): Partial<typeof products.$inferInsert> {
  return { [columnOf(name)]: storedOf(productFields[name], text) };
}

function storedOf({ kind }: ProductField, text: string): unknown {
  if (kind === 'money') return Math.round(Number(text) * 100);
  if (kind === 'flag') return text === 'true';
  if (kind === 'level' || kind === 'amount') return Number(text);
  return kind === 'list' ? text.split(', ') : text;
}
