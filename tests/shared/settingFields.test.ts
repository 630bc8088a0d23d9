/** The table of settings agrees with the contract, the database and the labels. */
import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { shopSettings } from '../../src/server/db/schema/tables';
import { changesInWords } from '../../src/shared/auditWords';
import { defaultShop } from '../../src/shared/brand';
import type { OperationId } from '../../src/shared/contract';
import { columnOf, productFieldNames } from '../../src/shared/productFields';
import { defaultSettings } from '../../src/shared/settings';
import { publicNameOf, settingFields, settingNames } from '../../src/shared/settingFields';
import { settingsForm } from '../../src/shared/settingsForms';
import { publicSettings, settingInWords } from '../../src/shared/settingTexts';
import { contractOperations } from '../support/contract';

type Shape = { type?: string; enum?: string[]; maxLength?: number; minimum?: number; maximum?: number };
type ObjectShape = { properties: Record<string, Shape>; required: string[] };

const [sent] = Object.values(contractOperations.get('updateSettings')?.requestBody?.content ?? {});
const form = sent?.schema as ObjectShape;
const answered = (operation: OperationId, part: string) => {
  const [answer] = Object.values(contractOperations.get(operation)?.responses['200']?.content ?? {});
  const schema = answer?.schema as { properties: { data: { properties: Record<string, ObjectShape> } } } | undefined;
  return schema?.properties.data.properties[part];
};

test('the contract has the settings of the table, and a response has all of them', () => {
  const names = settingNames.toSorted();
  expect(Object.keys(form.properties).toSorted()).toEqual(names);
  expect(answered('getSettings', 'settings')?.required.toSorted()).toEqual(names);
});

test.each(settingNames)('the setting %s is required, as long and as large as in the contract', (name) => {
  const field = settingFields[name];
  const shape = form.properties[name];
  expect(form.required.includes(name)).toBe(field.isOptional !== true);
  if (field.kind === 'flag') expect(shape?.type).toBe('boolean');
  else if (field.kind === 'choice') expect(shape?.enum).toEqual(Object.keys(field.choices));
  else if (field.kind === 'number')
    expect(shape).toMatchObject({ type: 'integer', minimum: field.least, maximum: field.most });
  else expect(shape).toMatchObject({ type: 'string', maxLength: field.maxLength });
});

test('each setting has a column, except the one that logins store', () => {
  const kept = settingNames.filter((name) => !settingFields[name].isKeptWithLogins);
  expect(Object.keys(getTableColumns(shopSettings)).toSorted()).toEqual(
    [...kept, 'only', 'changedAt', 'logo'].toSorted(),
  );
});

test('public settings are readable by everyone, and no others', () => {
  const names = settingNames.filter((name) => settingFields[name].isPublic);
  const always = names.filter((name) => !settingFields[name].isOmittedAtDefault).map(publicNameOf);
  const shape = answered('getShop', 'shop');
  expect(shape?.required.toSorted()).toEqual(always.toSorted());
  const all = [...names.map(publicNameOf), 'logo', 'aboutHtml', 'description', 'checkout', 'pages'];
  expect(Object.keys(shape?.properties ?? {}).toSorted()).toEqual(all.toSorted());
  expect(publicSettings(defaultSettings)).toEqual(defaultShop);
});

test('no setting shares its name with a product’s field, since the audit log identifies both by name', () => {
  expect(settingNames.filter((name) => productFieldNames.map(columnOf).includes(name))).toEqual([]);
});

test.each([
  ['shopName', 'Spices', 'Spices'],
  ['secondFactorOfStaff', false, 'Not required'],
  ['lowStockThreshold', 10, '10 or fewer'],
  ['newCustomerUnits', 3, '3 or fewer per product'],
  ['newCustomerUnits', 99, 'No limit'],
  ['newCustomerLimits', true, 'On'],
  ['units', 'metric', 'Grams and kilograms'],
  ['palette', 'plum', 'Plum'],
  ['bannerText', '', 'None'],
  ['storeAddress', '12 Kairaba Ave\nBanjul', '12 Kairaba Ave\nBanjul'],
] as const)('a read-only user sees the setting %s from %s as %s', (name, value, words) => {
  expect(settingInWords(settingFields[name], value)).toBe(words);
});

test('a text that the owner may leave blank can be blank, and no other', () => {
  const fields = settingNames.filter((name) => ['text', 'lines'].includes(settingFields[name].kind));
  const blank = Object.fromEntries(fields.map((name) => [name, ' ']));
  const { error } = settingsForm.safeParse({ ...defaultSettings, ...blank });
  const refused = error?.issues.map(({ path }) => path[0]);
  expect(refused).toEqual(fields.filter((name) => !('mayBeBlank' in settingFields[name])));
});

test('the audit log shows a text that was added or removed', () => {
  const context = { names: new Map<string, string>(), timeZone: 'UTC' };
  const [without, set] = [{ storeAddress: '' }, { storeAddress: '12 Kairaba Ave\nBanjul' }];
  const lines = (before: object, after: object) =>
    changesInWords({ action: 'setting.changed', before: { ...before }, after: { ...after } }, context);
  expect(lines(without, set)).toEqual(['Store address set to "12 Kairaba Ave\nBanjul"']);
  expect(lines(set, without)).toEqual(['Store address removed, was "12 Kairaba Ave\nBanjul"']);
});

test('the audit log shows a changed setting by its label', () => {
  const before = { shopName: 'Spices', timeZone: 'UTC', lowStockThreshold: 10, newCustomerLimits: true, units: 'us' };
  const after = {
    shopName: 'Kerr',
    timeZone: 'Asia/Tokyo',
    lowStockThreshold: 1000,
    newCustomerLimits: false,
    units: 'metric',
  };
  const lines = changesInWords({ action: 'setting.changed', before, after }, { names: new Map(), timeZone: 'UTC' });
  expect(lines).toEqual([
    'Shop name "Spices" to "Kerr"',
    'Time zone UTC to Asia/Tokyo',
    'Low stock 10 to 1,000',
    'Limit customers who never paid on to off',
    'Units ounces and pounds to grams and kilograms',
  ]);
});
