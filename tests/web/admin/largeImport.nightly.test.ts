/** A file of more rows than one call accepts: the page splits it, and a second import finishes what the first began. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { control, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterEach(() => tab.close());
afterAll(() => shop.close());

async function chooseFile(text: string): Promise<void> {
  const chooser = () => document.querySelector<HTMLInputElement>('input[type=file][aria-label="CSV file"]');
  await until(() => chooser() !== null);
  const input = chooser() as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [new File([text], 'products.csv')], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

async function openImport(): Promise<void> {
  tab = openTab(shop, '/products', { as: admin });
  await press('Import CSV');
}

const isDone = () => until(() => document.querySelector('[role=dialog]') === null);
const header = 'id,name,description,price,availability,quantity,category,version';
const sent = () => tab.calls.filter(({ path }) => path === '/admin/products/import');
const namesOf = async (category: string) =>
  (
    await shop.pool.query<{ name: string }>(
      `select p.name from products p join categories c on c.id = p.category_id where c.name = $1 order by p.created_at`,
      [category],
    )
  ).rows.map(({ name }) => name);
const names = (count: number) => Array.from({ length: count }, (_, at) => `No. ${at}`);
const row = (category: string) => (name: string) => `,${name},"Two\nlines",4.50,true,20,${category},`;

test('a file of 2,206 products is imported in parts, and the export of the shop changes nothing', async () => {
  const { name: category } = await shop.category();
  await openImport();
  await chooseFile([header, ...names(2206).map(row(category))].join('\n'));
  await see('2,206 new, 0 changed, 0 unchanged, 0 with errors');
  await press('Import 2,206 rows');
  await see(/Imported [12],000 of 2,206 rows/);
  await isDone();
  expect(await namesOf(category)).toEqual(names(2206));
  expect(sent()).toHaveLength(6);
  const headers = { authorization: `Bearer ${admin.token}` };
  const { body } = await shop.app.inject({ url: '/api/admin/products/export', query: { category }, headers });
  await press('Import CSV');
  await chooseFile(body);
  await see('0 new, 0 changed, 2,206 unchanged, 0 with errors');
});

test('an interrupted import is finished by importing the file again, and nothing is duplicated', async () => {
  const { id: categoryId, name: category } = await shop.category();
  const { id } = await shop.stock({ categoryId, name: 'Old' });
  const { version } = (await shop.call('getProductForStaff', { as: admin, path: { id } })).data.product;
  const file = [header, `${id},Renamed,x,4.50,true,10,${category},${version}`, ...names(1100).map(row(category))].join(
    '\n',
  );
  await openImport();
  await chooseFile(file);
  await see('1,100 new, 1 changed, 0 unchanged, 0 with errors');
  let arrived = 0;
  tab.network.passes = (request) => !request.url.endsWith('/import') || ++arrived < 2;
  await press('Import 1,101 rows');
  await see('Rows 2 to 1,001 are in. Import the file again to finish: what is in already is not made twice.');
  tab.close();
  await openImport();
  // fixed and saved by a spreadsheet meanwhile
  await chooseFile(file.replaceAll('4.50', '4.5').replaceAll('true', 'TRUE').replaceAll('\n', '\r\n'));
  await see(/This file was imported at|Rows 2 to 1,001 are in already and are skipped/);
  expect(await namesOf(category)).toEqual(['Renamed', ...names(1100)]);
});

test('an error in the last part has its line in the whole file, and imported rows are skipped', async () => {
  const { name: category } = await shop.category();
  const { id } = await shop.stock();
  const { version } = (await shop.call('getProductForStaff', { as: admin, path: { id } })).data.product;
  const rows = names(1100).map(row(category));
  const file = [header, ...rows, `${id},Dill,x,5,true,10,${category},${version}`].join('\n');
  await openImport();
  await chooseFile(file);
  await see('1,100 new, 1 changed, 0 unchanged, 0 with errors');
  await shop.call('changeProducts', { as: admin, body: { ids: [id], change: 'makeNotAvailable' } });
  await press('Import 1,101 rows');
  await see('Rows 2 to 1,001 are in. Mend line 2,202 and import the file again');
  await see('100 new, 0 changed, 1,000 unchanged, 1 with errors');
  await see('Rows 2 to 1,001 are in already and are skipped.');
  await see(/Line 2,202\s*Error.*Cell H1102, version: This product was changed/);
  expect((await control('Import 100 rows')).getAttribute('aria-disabled')).toBe('true');
  await chooseFile([header, ...rows].join('\r\n'));
  await see('100 new, 0 changed, 1,000 unchanged, 0 with errors');
  await press('Import 100 rows');
  await isDone();
  expect(await namesOf(category)).toEqual(names(1100));
});

test('one product in two parts, and a broken file, are rejected before anything is imported', async () => {
  const { name: category } = await shop.category();
  const { id } = await shop.stock();
  await openImport();
  const twice = `${id},Dill,x,5,true,10,${category},`;
  await chooseFile([header, twice, ...names(1000).map(row(category)), twice].join('\n'));
  await see(/Line 2,003\s*Error.*id: This product is in the file twice/);
  const before = sent().length;
  await chooseFile(`name,passwordHash\n${'x,y\n'.repeat(1500)}`);
  await see('We don\'t recognize the column "passwordHash" in cell B1');
  await chooseFile(`name,price\n${'x,1\n'.repeat(1500)}"open,1\n`);
  await see("This file isn't a valid CSV. Check line 1,502".replace(',', ''));
  expect(sent()).toHaveLength(before);
  expect(await namesOf(category)).toEqual([]);
});
