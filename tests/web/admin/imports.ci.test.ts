/** Import files: errors are shown row by row. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { control, dialog, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => (admin = await shop.signIn({ role: 'ROLE_ADMIN' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

async function chooseFile(label: string, lines: readonly string[]): Promise<void> {
  const chooser = () => document.querySelector<HTMLInputElement>(`input[type=file][aria-label="${label}"]`);
  await until(() => chooser() !== null);
  const input = chooser() as HTMLInputElement;
  const file = new File([lines.join('\n')], 'rows.csv', { type: 'text/csv' });
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

test('a rejected file of tax rates shows each error with its line, and nothing was imported', async () => {
  tab = openTab(shop, '/admin/tax', { as: admin });
  await chooseFile('Tax rate CSV file', ['state,rate', 'GA,4', 'Guam,four', 'GA,5']);
  const mistakes = await dialog();
  await see('Nothing was imported. Some rows have errors.');
  await see(/Line 3\s*Error.*state: Enter one of the 50 states or DC.*rate: Enter a rate from 0 to 30/);
  await see(/Line 4\s*Error.*state: This state is in the file twice/);
  expect(mistakes.textContent).not.toContain('Line 2');
  await press('Close', mistakes);
  await until(() => document.querySelector('[role=dialog]') === null);
  const { taxRates } = (await shop.call('listTaxRates', { as: admin, query: { size: 100 } })).data;
  expect(taxRates.content).toEqual([]);
});

test('product rows that a colleague changed since they were shown are shown again, and nothing is imported', async () => {
  const { id, name } = await shop.stock({ priceCents: 450 });
  const { version } = (await shop.call('getProductForStaff', { as: admin, path: { id } })).data.product;
  tab = openTab(shop, '/products', { as: admin });
  await press('Import CSV');
  await chooseFile('CSV file', ['id,version,price', `${id},${version},5.00`]);
  await see('0 new, 1 changed, 0 unchanged, 0 with errors');
  await shop.call('changeProducts', { as: admin, body: { ids: [id], change: 'makeNotAvailable' } });
  await press('Import 1 row');
  await see('Nothing was imported. Fix the rows with errors and try again.');
  await see('0 new, 0 changed, 0 unchanged, 1 with errors');
  await see(new RegExp(`Line 2\\s*Error\\s*${name}.*version: This product changed after you exported the file`));
  expect((await control('Import')).getAttribute('aria-disabled')).toBe('true');
  const { product } = (await shop.call('getProductForStaff', { as: admin, path: { id } })).data;
  expect(product.price).toBe(4.5);
});
