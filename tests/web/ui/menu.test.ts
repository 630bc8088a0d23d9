import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, test, vi } from 'vitest';
import { listsOf } from '../../support/lists';
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

/** Chooses an entry on a machine so busy that all of the page's timers fire before the menu has closed. */
async function chooseOnBusyMachine(name: string): Promise<void> {
  const { setTimeout: later } = globalThis;
  const entry = await control(name);
  const over = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const callers = new Error('who waits').stack?.split('\n').slice(1) ?? [];
    const caller = callers.find((each) => !/menu\.test|vitest/.test(each)) ?? '';
    const isOfPage = ms >= 50 && caller.includes('/src/web/'); // the shop itself is in this process, and keeps its time
    if (isOfPage) queueMicrotask(() => act(...args));
    return later(isOfPage ? () => undefined : act, ms, ...args);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(over as unknown as typeof setTimeout);
  entry.click();
  while (document.querySelector('[role=menu]')) await setImmediate();
  vi.restoreAllMocks();
}

test('a dialog opened by a menu is not closed with the menu, however long that takes', async () => {
  const ana = await shop.signIn();
  const listId = randomUUID();
  await listsOf(() => shop).create(ana, listId, 'Dry store');
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await press('More actions for Dry store');
  await chooseOnBusyMachine('Rename');
  await see('Rename Dry store');
  await press('Cancel', await dialog());
});

test('neither is one opened by a menu of the back office', async () => {
  await shop.signIn({ fullName: 'Fatoumatta Menu' });
  tab = openTab(shop, '/user/management?q=Fatoumatta', { as: await shop.signIn({ role: 'ROLE_OWNER' }) });
  await press('More actions for Fatoumatta Menu');
  await chooseOnBusyMachine('Deactivate');
  await press('Cancel', await dialog());
});
