import { expect } from 'playwright/test';
import { newAccount } from '../e2e/shop';
import type { AnswerOf } from '../../src/shared/contract';
import { add, logIn, serverCart, signUp } from './people';
import { phone, type Tab, until } from './tab';
import { test, unanswered } from './harness';

const [rub, pepper] = ['Afra Grill Rub', 'Ground Cayenne Pepper'];

test('a shelf is counted without the server, is the same on another device, and ordered up to par once', async ({
  openBrowser,
  shop,
}) => {
  const { tab, forgive } = await openBrowser(phone);
  const account = newAccount();
  const userId = await signUp(tab, account);
  let sheet = '';
  await test.step('creates a list from the cart', async () => {
    await add(tab, 'savory', rub);
    await add(tab, 'spices', pepper);
    await tab.sees({ text: 'Saved for offline' }, 120_000);
    await tab.open('/cart');
    await tab.press({ role: 'button', name: 'Save cart as list' });
    await tab.write('Name', 'Weekly kitchen');
    await tab.press({ role: 'button', name: 'Save' });
    await tab.sees({ role: 'heading', name: 'Weekly kitchen' });
    sheet = new URL(await tab.address()).pathname;
    await tab.write(`Par for ${rub}`, '5');
    await tab.key('Enter');
    await until('the par', async () => (await serverList(tab, userId)).some(({ par }) => par === 5));
  });
  await test.step('counts it without the server', async () => {
    await shop.breakOff();
    await tab.open(`${sheet}/count`);
    await tab.sees({ text: '1 of 2' });
    await tab.press({ role: 'button', name: '2' });
    await tab.press({ role: 'button', name: 'Next' });
    await tab.sees({ text: '2 of 2' });
    await tab.press({ role: 'button', name: 'Add one' });
    await tab.press({ role: 'button', name: 'Done' });
    await tab.sees({ text: '2 waiting to sync' });
    await tab.reload();
    await tab.sees({ text: '2 waiting to sync' });
    await tab.press({ role: 'button', name: 'All 2' });
    expect(await numbers(tab)).toEqual({ [rub]: [5, 2], [pepper]: [1, 1] });
  });
  await test.step('is the same on another device', async () => {
    await shop.restore();
    await until('the counts', async () => (await serverList(tab, userId)).every(({ onHand }) => onHand !== null));
    await tab.misses({ text: '2 waiting to sync' });
    const { tab: other } = await openBrowser(phone);
    await other.open('/login');
    await logIn(other, account);
    await other.sees({ text: rub });
    await other.open(sheet);
    await other.press({ role: 'button', name: 'All 2' });
    await until('the same numbers', async () => (await numbers(other))[rub]?.[1] === 2);
    expect(await numbers(other)).toEqual({ [rub]: [5, 2], [pepper]: [1, 1] });
    await other.write(`On hand for ${rub}`, '3');
    await other.key('Enter');
    await until('the other device’s count', async () => (await numbers(tab))[rub]?.[1] === 3);
    await forgive(unanswered);
  });
  await test.step('is ordered up to par', async () => {
    await tab.press({ role: 'button', name: /^Order to par/ });
    await tab.press({ role: 'button', name: /^Add 1 product to cart/ });
    await until('the cart', async () => (await serverCart(tab, userId))[rub] === 2); // 1 was in the cart, 1 more is missing
    await tab.open('/cart');
    await tab.sees({ text: pepper });
    expect(await serverCart(tab, userId)).toEqual({ [rub]: 2, [pepper]: 1 });
  });
});

/** @returns for each product on the shown sheet: par and what is on hand */
const numbers = (tab: Tab): Promise<Record<string, [par: number, onHand: number]>> =>
  tab.run(() => {
    const found: Record<string, [number, number]> = {};
    for (const field of document.querySelectorAll<HTMLInputElement>('input[aria-label^="Par for "]')) {
      const product = (field.getAttribute('aria-label') ?? '').slice('Par for '.length);
      const onHand = document.querySelector<HTMLInputElement>(`input[aria-label="On hand for ${product}"]`);
      found[product] = [Number(field.value), Number(onHand?.value)];
    }
    return found;
  }, null);

/** @returns the products of the only list on the server; requested by the page, with its cookie */
function serverList(tab: Tab, userId: string): Promise<AnswerOf<'listLists'>['data']['lists'][number]['items']> {
  return tab.run(async (id) => {
    const answer = await fetch(`/api/public/lists/${id}`);
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as AnswerOf<'listLists'>).data.lists[0]?.items ?? [];
  }, userId);
}
