/** The table of the settings, the contract, the database and the words for people say the same. */
import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { shopSettings } from '../../src/server/db/schema/tables';
import { changesInWords } from '../../src/shared/auditWords';
import { defaultShop } from '../../src/shared/brand';
import type { OperationId } from '../../src/shared/contract';
import { columnOf, productFieldNames } from '../../src/shared/productFields';
import { defaultSettings } from '../../src/shared/settings';
import { publicNameOf, settingFields, settingNames } from '../../src/shared/settingFields';
import { publicSettings, settingInWords } from '../../src/shared/settingTexts';
import { contractOperations } from '../support/contract';

type Shape = { type?: string; maxLength?: number; minimum?: number; maximum?: number };
type ObjectShape = { properties: Record<string, Shape>; required: string[] };

const [sent] = Object.values(contractOperations.get('updateSettings')?.requestBody?.content ?? {});
const form = sent?.schema as ObjectShape;
const answered = (operation: OperationId, part: string) => {
  const [answer] = Object.values(contractOperations.get(operation)?.responses['200']?.content ?? {});
  const schema = answer?.schema as { properties: { data: { properties: Record<string, ObjectShape> } } } | undefined;
  return schema?.properties.data.properties[part];
};

test('the contract has the settings of the table, and an answer has all of them', () => {
  const names = settingNames.toSorted();
  expect(Object.keys(form.properties).toSorted()).toEqual(names);
  expect(answered('getSettings', 'settings')?.required.toSorted()).toEqual(names);
});

test.each(settingNames)('the setting %s is required, as long and as large as the contract says', (name) => {
  const field = settingFields[name];
  const shape = form.properties[name];
  expect(form.required.includes(name)).toBe(field.isOptional !== true);
  if (field.kind === 'flag') expect(shape?.type).toBe('boolean');
  else if (field.kind === 'number')
    expect(shape).toMatchObject({ type: 'integer', minimum: field.least, maximum: field.most });
  else expect(shape).toMatchObject({ type: 'string', maxLength: field.maxLength });
});

test('each setting has a column, but the one that logins keep', () => {
  const kept = settingNames.filter((name) => !settingFields[name].isKeptWithLogins);
  expect(Object.keys(getTableColumns(shopSettings)).toSorted()).toEqual([...kept, 'only', 'changedAt'].toSorted());
});

test('everybody reads the settings that are public, and no other', () => {
  const names = settingNames.filter((name) => settingFields[name].isPublic).map(publicNameOf);
  expect(answered('getShop', 'shop')?.required.toSorted()).toEqual(names.toSorted());
  expect(publicSettings(defaultSettings)).toEqual(defaultShop);
});

test('no setting has the name of a product’s fact, since the audit log knows both by their names', () => {
  expect(settingNames.filter((name) => productFieldNames.map(columnOf).includes(name))).toEqual([]);
});

test.each([
  ['shopName', 'Spices', 'Spices'],
  ['secondFactorOfStaff', false, 'Not required'],
  ['lowStockThreshold', 10, '10 or fewer'],
  ['newCustomerUnits', 3, '3 or fewer of a product'],
  ['newCustomerUnits', 99, 'No limit'],
  ['newCustomerLimits', true, 'On'],
] as const)('who only reads the setting %s reads %s as %s', (name, value, words) => {
  expect(settingInWords(settingFields[name], value)).toBe(words);
});

test('the audit log tells a change of a setting by its label', () => {
  const before = { shopName: 'Spices', timeZone: 'UTC', lowStockThreshold: 10, newCustomerLimits: true };
  const after = { shopName: 'Kerr', timeZone: 'Asia/Tokyo', lowStockThreshold: 1000, newCustomerLimits: false };
  const lines = changesInWords({ action: 'setting.changed', before, after }, { names: new Map(), timeZone: 'UTC' });
  expect(lines).toEqual([
    'Shop name "Spices" to "Kerr"',
    'Time zone UTC to Asia/Tokyo',
    'Low stock 10 to 1,000',
    'Limit customers who never paid on to off',
  ]);
});
