/** The page that imports products from a file. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { dialog, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  vi.stubGlobal('XMLHttpRequest', Upload);
});
beforeEach(() => (Upload.isLost = false));
afterEach(() => tab.close());
afterAll(async () => {
  vi.unstubAllGlobals();
  await shop.close();
});

/** Replaces the browser's upload. */
class Upload extends EventTarget {
  static isLost = false;
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  url = '';
  status = 0;
  response: unknown;
  open(_method: string, url: string) {
    this.url = url;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(form: FormData) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }));
    if (Upload.isLost) this.dispatchEvent(new Event('error'));
    else void this.finish(new Response(form));
  }
  async finish(sent: Response) {
    const headers = {
      ...this.headers,
      'content-type': sent.headers.get('content-type') ?? '',
      host: 'localhost:3000',
      origin: 'http://localhost:3000',
    };
    const payload = Buffer.from(await sent.arrayBuffer());
    const answer = await shop.app.inject({ method: 'POST', url: this.url, headers, payload });
    [this.status, this.response] = [answer.statusCode, answer.json()];
    this.dispatchEvent(new Event('load'));
  }
}

const path = '/admin/products/import';

async function chooseFile(...lines: string[]): Promise<void> {
  const chooser = () => document.querySelector<HTMLInputElement>('input[type=file][aria-label="CSV file"]');
  await until(() => chooser() !== null);
  const input = chooser() as HTMLInputElement;
  const file = new File([lines.join('\n')], 'list.csv', { type: 'text/csv' });
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
const importId = () => new URL(tab.path(), 'http://localhost').searchParams.get('import') ?? '';
const names = async () =>
  (await shop.pool.query<{ name: string }>('select name from products where archived_at is null')).rows.map(
    ({ name }) => name,
  );

test('right rows are imported without the wrong one, the page can be left, and they can be undone', async () => {
  tab = openTab(shop, path, { as: admin });
  await see('Import products');
  await chooseFile('name,price,category', 'Kani of the page,4.50,spices', 'Netetou of the page,four,spices');
  await see(/Cell B3, price: Enter a price, such as 4.50/);
  await press('Import the 1 right rows');
  await see('Importing 1 row');
  await tab.go('/products');
  await shop.jobs.runImports();
  tab.back();
  await see('1 row imported');
  expect(await names()).toContain('Kani of the page');
  await press('Undo import');
  await press('Undo import', await dialog());
  await see('Undoing the import');
  await shop.jobs.runImports();
  await see('Import undone');
});

test('the columns of an unknown file are matched once, and known the next time', async () => {
  tab = openTab(shop, path, { as: admin });
  const file = ['Ware,Betrag,Regal', 'Bissap of the page,"3,25",A4'];
  await chooseFile(...file);
  await see('No column is Name or Price. New products need it; products that you have already can be changed without.');
  const menu = async (label: string, value: string) => {
    const select = document.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`) as HTMLSelectElement;
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  };
  await menu('What Ware is', 'name');
  await menu('What Betrag is', 'name');
  await see('Two columns are Name. Choose something else for one of them.');
  await menu('What Betrag is', 'price');
  await see('2 of 3 matched');
  const first = importId();
  await press('Review rows');
  await see('New 1');
  expect(importId()).not.toBe(first);
  await press('Choose another file');
  await see('Recent imports');
  await chooseFile(...file);
  await see('Import 1 row');
});

test('the columns of an earlier import are never matched with a later file', async () => {
  tab = openTab(shop, path, { as: admin });
  await chooseFile('Thing,Cost of it', 'Baobab of the page,4.50');
  await see('Review rows');
  const first = importId();
  await tab.go(path);
  await see('Recent imports');
  await chooseFile('Other thing,Cost of that', 'Moringa of the page,5.50');
  await see('Other thing');
  await tab.go(`${path}?import=${first}`);
  await see('To change what a column is, choose the same file again. This page keeps no copy of it.');
});

test('a file that is refused or lost says what to do, and can be sent again', async () => {
  tab = openTab(shop, path, { as: admin });
  await chooseFile('name,price');
  await see('This file has no rows');
  Upload.isLost = true;
  await chooseFile('name,price,category', 'Sesame of the page,4.50,spices');
  await see("The connection was lost, so the file wasn't checked. Nothing has changed. Send it again.");
  Upload.isLost = false;
  await press('Send again');
  await see('Sesame of the page');
});
