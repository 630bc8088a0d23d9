import { expect } from 'playwright/test';
import type { AnswerOf } from '../../src/shared/contract';
import { newAccount } from '../e2e/shop';
import { add, serverCart, signUp } from './people';
import { phone, type Tab, until } from './tab';
import { test } from './harness';

const [rub, blend] = ['Afra Grill Rub', 'Peppersoup Blend'];

test('a customer sorts and filters a list, counts on a card, and drags a list into the order of the shelf', async ({
  openBrowser,
}) => {
  const { tab } = await openBrowser(phone);
  const userId = await signUp(tab, newAccount());
  await test.step('sorts', async () => {
    await tab.open('/products/savory');
    await tab.press({ role: 'button', name: 'Sort: Featured' });
    await tab.press({ role: 'menuitemradio', name: 'Name, A to Z' });
    await tab.sees({ role: 'button', name: 'Sort: Name, A to Z' });
    await until('the order', async () => isSorted(await tab.run(shownNames, null)));
  });
  await test.step('filters', async () => {
    await tab.press({ role: 'button', name: 'Filters' });
    await tab.press({ text: 'Nigeria', within: { role: 'dialog', name: 'Filters' } });
    await tab.press({ role: 'button', name: /^Show \d products?$/ });
    await tab.sees({ role: 'button', name: 'Filters 1' });
    expect(new URL(await tab.address()).search).toBe('?origin=Nigeria&sort=name');
    await tab.press({ role: 'button', name: 'Remove Origin: Nigeria' });
    await tab.misses({ role: 'button', name: 'Filters 1' });
  });
  await test.step('counts on a card', async () => {
    for (const _ of [1, 2, 3]) await tab.press({ role: 'button', name: `Add ${rub} to cart` });
    await tab.press({ role: 'button', name: `Remove one ${rub} from cart` });
    await until('two of it', async () => (await serverCart(tab, userId))[rub] === 2);
    expect(await tab.run(outsideCards, null)).toEqual([]);
  });
  await test.step('drags a list into order', async () => {
    await add(tab, 'savory', blend);
    await tab.open('/cart');
    await tab.press({ role: 'button', name: 'Save cart as list' });
    await tab.write('Name', 'Dry');
    await tab.press({ role: 'button', name: 'Save' });
    await tab.sees({ role: 'heading', name: 'Dry' });
    await until('the list', async () => (await rowsOf(tab)) === `${rub},${blend}`);
    await tab.drag(
      { role: 'button', name: `Move ${blend}, position 2 of 2` },
      { role: 'button', name: `Move ${rub}, position 1 of 2` },
    );
    await until('the new order', async () => (await rowsOf(tab)) === `${blend},${rub}`);
    await tab.misses({ role: 'menuitem', name: 'Move to top' }); // the end of a drag opens no menu
    await until('the order on the server', () => tab.run(isOrderSaved, userId));
    await tab.reload();
    await until('the new order', async () => (await rowsOf(tab)) === `${blend},${rub}`);
  });
});

const isSorted = (names: string[]) => names.length > 1 && names.toSorted().join() === names.join();

/** Runs in the page. */
const shownNames = () => [...document.querySelectorAll('main li h2')].map((name) => name.textContent);

/** Runs in the page. @returns the shown controls that stick out of their card, which is too narrow for all of them */
const outsideCards = () =>
  [...document.querySelectorAll('main li:has(h2)')].flatMap((card) => {
    const { left, right } = card.getBoundingClientRect();
    return [...card.querySelectorAll('button')]
      .filter((button) => button.checkVisibility())
      .filter((button) => button.getBoundingClientRect().left < left || button.getBoundingClientRect().right > right)
      .map((button) => button.textContent);
  });

const rowsOf = (tab: Tab): Promise<string> =>
  tab.run(() => [...document.querySelectorAll('tbody th')].map((name) => name.firstChild?.textContent).join(), null);

/** Runs in the page. @returns whether the server has the only list in the shown order */
async function isOrderSaved(userId: string): Promise<boolean> {
  const answer = await fetch(`/api/public/lists/${userId}`);
  const { data } = (await answer.json()) as AnswerOf<'listLists'>;
  const shown = [...document.querySelectorAll<HTMLElement>('tbody tr')].map((row) => row.dataset['product']);
  return data.lists[0]?.items.map(({ productId }) => productId).join() === shown.join();
}
