import { expect } from 'playwright/test';
import { newAccount } from '../e2e/shop';
import { signUp } from './people';
import { phone } from './tab';
import { test } from './harness';

/**
 * WebKit keeps the transactions of a page in the back/forward cache open. Rule: docs/rules/offline.md, Suspended pages
 */
test('a page left while it reads and writes blocks no other page', async ({ openBrowser }, { repeatEachIndex }) => {
  const { tab } = await openBrowser(phone);
  await signUp(tab, newAccount());
  await tab.sees({ text: 'Saved for offline' }, 120_000);
  for (let round = 0; round < 12; round += 1) {
    await tab.open(round % 2 ? '/customer/orders' : '/products/savory');
    await new Promise((resolve) => setTimeout(resolve, round * 50 + repeatEachIndex * 10)); // each at another moment of its start
  }
  await tab.open('/contact');
  await tab.sees({ role: 'button', name: 'Send' });
  expect(await tab.run(heldUp, null)).toEqual([]);
});

/** Runs in the page. @returns the device's tables that cannot be written to within fifteen seconds */
async function heldUp(): Promise<string[]> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open('shop');
    asked.addEventListener('success', () => resolve(asked.result));
    asked.addEventListener('error', () => reject(new Error('no database')));
  });
  const tables = [...database.objectStoreNames];
  const within = (table: string) =>
    new Promise<string[]>((resolve) => {
      const writing = database.transaction(table, 'readwrite');
      writing.addEventListener('complete', () => resolve([]));
      setTimeout(resolve, 15_000, [table]);
      writing.objectStore(table).count();
    });
  const found = await Promise.all(tables.map(within));
  database.close();
  return found.flat();
}
