/** The table of a product's fields agrees with the contract and the database. */
import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { products } from '../../src/server/db/schema/tables';
import type { OperationId } from '../../src/shared/contract';
import { columnOf, maxListItems, productFieldNames, productFields } from '../../src/shared/productFields';
import { contractOperations } from '../support/contract';

type Shape = { type?: string | string[]; maxLength?: number; maximum?: number; maxItems?: number; items?: Shape };
type ObjectShape = { properties: Record<string, Shape>; required: string[] };

const [sent] = Object.values(contractOperations.get('createProduct')?.requestBody?.content ?? {});
const form = sent?.schema as ObjectShape;
const answered = (operation: OperationId) => {
  const [answer] = Object.values(contractOperations.get(operation)?.responses['200']?.content ?? {});
  const schema = answer?.schema as { properties: { data: { properties: { product: ObjectShape } } } } | undefined;
  return schema?.properties.data.properties.product ?? { properties: {}, required: [] };
};
const product = answered('getProduct');
const staffProduct = answered('getProductForStaff');

const noFacts = ['category', 'quantity', 'file', 'quantityWas', 'version', 'stockReason', 'sizes', 'removedSizes'];
const noFactColumns = `
  id categoryId quantity pictureHash pictureAlt photos version editedVersion changeCursor createdAt archivedAt bestsellerRank
  sizeGroup`;

test('each field of the contract’s form is in the table, and vice versa', () => {
  const ofForm = Object.keys(form.properties).filter((name) => !noFacts.includes(name));
  expect(ofForm.toSorted()).toEqual(productFieldNames.toSorted());
});

test.each(productFieldNames)('the field %s is required and as long as in the contract', (name) => {
  const field = productFields[name];
  const shape = form.properties[name];
  expect(form.required.includes(name)).toBe(field.isRequired === true);
  if (field.kind === 'text') expect(shape?.maxLength).toBe(field.maxLength);
  if (field.kind === 'level')
    expect(shape).toMatchObject({ type: ['integer', 'null'], minimum: 0, maximum: field.most });
  if (field.kind === 'list')
    expect(shape).toMatchObject({ maxItems: maxListItems, items: { maxLength: field.maxLength } });
  if (field.kind === 'flag') expect(shape?.type).toBe('boolean');
});

test.each(productFieldNames)('the field %s has a column, and responses show it to those who may see it', (name) => {
  expect(Object.keys(getTableColumns(products))).toContain(columnOf(name));
  expect(Object.hasOwn(staffProduct.properties, name)).toBe(true);
  expect(Object.hasOwn(product.properties, name)).toBe(productFields[name].isForStaff !== true);
});

test('each other column of products is one that no form changes', () => {
  const facts = productFieldNames.map(columnOf);
  const others = Object.keys(getTableColumns(products)).filter((column) => !facts.includes(column));
  expect(others.toSorted()).toEqual(noFactColumns.trim().split(/\s+/).toSorted());
});
