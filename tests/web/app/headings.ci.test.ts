import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openShop, type TestShop } from '../../support/shop';
import { control, fieldCalled, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

/** Holds back the responses to reads of these paths. @returns a function that releases them */
function holdReads(held: RegExp): () => void {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  tab.network.delays = ({ url }) => (held.test(new URL(url).pathname) ? released : undefined);
  return release;
}
const focused = () => document.activeElement;
const focusOn = (heading: string) => until(() => focused()?.tagName === 'H1' && focused()?.textContent === heading);

test.each([
  ['/cart', /^\/api\/public\/cart\//, 'Cart', 'Cart is Empty'],
  ['/products/nothing', /\/category\/nothing$/, 'Nothing', '404 not found'],
] as const)(
  'at %s the focus stays at the heading when its data changes the heading',
  async (path, held, first, then) => {
    tab = openTab(shop, '/contact', { as: await shop.signIn() });
    const answerIt = holdReads(held);
    await see('Contact');
    await tab.go(path);
    await focusOn(first);
    answerIt();
    await focusOn(then);
  },
);

test('a changed heading does not pull back a user who moved on', async () => {
  tab = openTab(shop, '/contact', { as: await shop.signIn() });
  const answerIt = holdReads(/^\/api\/public\/cart\//);
  await see('Contact');
  await tab.go('/cart');
  await focusOn('Cart');
  const elsewhere = await control('Search');
  elsewhere.focus();
  answerIt();
  await see('Cart is Empty');
  expect(focused()).toBe(elsewhere);
});

test('a new page does not pull back a user who is already at one of its controls', async () => {
  tab = openTab(shop, '/', { as: await shop.signIn() });
  await see('About Us');
  await tab.go('/contact');
  const field = await fieldCalled('Message');
  field.focus();
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'H', bubbles: true }));
  await until(() => [...document.querySelectorAll('.sr-only')].some(isTitle)); // the page has been announced
  expect(focused()).toBe(field);
});

test('a key held down while the page arrives does not keep the focus at the link', async () => {
  tab = openTab(shop, '/', { as: await shop.signIn() });
  await see('About Us');
  const link = await control('Contact', document.querySelector('header') ?? document);
  link.focus();
  await tab.go('/contact');
  link.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true }));
  await focusOn('Contact');
});

const isTitle = ({ textContent }: Element) => textContent === document.title;

test('back on a slow list, the focus moves from the heading to the product looked at before', async () => {
  const category = await shop.category({ name: 'late-peppers', title: 'Late peppers' });
  const { id } = await shop.stock({ name: 'Pepper', categoryId: category.id });
  tab = openTab(shop, '/products/late-peppers');
  await press('Pepper');
  await focusOn('Pepper');
  tab.cache.removeQueries({ queryKey: ['products'] });
  const answerIt = holdReads(/category\/late-peppers$/);
  tab.back();
  await focusOn('Late peppers');
  answerIt();
  await until(() => focused()?.getAttribute('href') === `/customer/view/product/${id}`);
});

test('About scrolls to its section again when it is pressed there once more', async () => {
  const scrolled: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.id);
  });
  tab = openTab(shop, '/');
  await see('About Us');
  for (const part of ['header', 'footer', 'nav[aria-label=Shop]']) {
    const before = scrolled.length;
    await press('About', document.querySelector(part) ?? document);
    await until(() => scrolled.length > before && tab.path() === '/#about');
    document.dispatchEvent(new Event('scroll')); // and away from it
  }
  expect(new Set(scrolled)).toEqual(new Set(['about']));
});
