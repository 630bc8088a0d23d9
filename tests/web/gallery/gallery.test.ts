import { readdir, readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openShop, type TestShop } from '../../support/shop';
import { control, dialog, openTab, press, see, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => {
  vi.restoreAllMocks();
  tab.close();
});
afterAll(() => shop.close());

test('the gallery renders every part of the pages without an error', async () => {
  const failed = vi.spyOn(console, 'error');
  tab = openTab(shop, '/gallery/parts');
  await see('404 not found');
  for (const [opens, shows] of [
    ['Dialog', 'Rename list'],
    ['Question', "This can't be undone."],
  ] as const) {
    await press(opens);
    await see(shows);
    await press('Cancel', await dialog());
  }
  await press('Drawer');
  await see('What can be chosen');
  await press('Close', await dialog());
  await press('Success toast');
  await see('Saved');
  await press('Menu');
  await control('Remove');
  expect(failed).not.toHaveBeenCalled();
});

/** They render nothing by themselves, or every page has them, or another part shows them. */
const notAlone = ['FormattedText', 'MenuFrame', 'PageMeta', 'Themed', 'Toaster'];

test('no part is missing in the gallery', async () => {
  const namesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.tsx'));
  const files = await namesIn('src/web/gallery');
  const code = (await Promise.all(files.map((name) => readFile(`src/web/gallery/${name}`, 'utf8')))).join('\n');
  const parts = (await namesIn('src/web/ui')).map((name) => name.replace('.tsx', ''));
  expect(parts.filter((name) => !code.includes(`'../ui/${name}'`))).toEqual(notAlone);
});
