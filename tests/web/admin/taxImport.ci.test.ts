/** A file of tax rates: errors are shown row by row. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { dialog, openTab, press, see, type Tab, until } from '../openTab';

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
