/** The sizes of a card, the sizes of a product, and its photos, by keys. Rule: docs/rules/catalog.md, Cards, Product page */
import type { AnswerOf } from '../../src/shared/contract';
import { ownerAccount } from '../e2e/shop';
import { logIn, serverCart } from './people';
import { desktop, type Tab, until } from './tab';
import { test } from './harness';

test('a size is chosen on a card and on its page, and photos are looked through, by keys', async ({
  openBrowser,
}, info) => {
  const { tab } = await openBrowser(desktop);
  const mark = `keywise${'abcdefgh'[info.repeatEachIndex]}`;
  const [small, large] = [`Small rub ${mark}`, `Large rub ${mark}`];
  await tab.open('/login');
  await logIn(tab, ownerAccount);
  await tab.sees({ role: 'heading', name: 'Dashboard' });
  const { id, userId } = await tab.run(makeSizes, [small, large]);
  await until('its photos', async () => (await tab.run(photosOf, id)) === 2);
  await test.step('on the card', async () => {
    await tab.open(`/search?q=${mark}`);
    await tab.press({ role: 'button', name: `Choose a size of ${small}` });
    await hasFocus(tab, `Add ${small} to cart`);
    await tab.key('ArrowDown');
    await hasFocus(tab, `Add ${large} to cart`);
    await tab.key('Enter');
    await until('it in the cart', async () => (await serverCart(tab, userId))[large] === 1);
    await tab.key('ArrowUp');
    await hasFocus(tab, `Add ${small} to cart`);
    await tab.key('Escape');
    await tab.misses({ role: 'dialog', name: `Sizes of ${small}` });
    await hasFocus(tab, `Choose a size of ${small}, 1 in cart`);
  });
  await test.step('through its photos', async () => {
    await tab.open(`/customer/view/product/${id}`);
    await tab.sees({ role: 'radio', name: new RegExp(`^${large}`) });
    await tab.run(() => document.querySelector<HTMLElement>('section[aria-label="Photo 1 of 2"]')?.focus(), null);
    await tab.key('ArrowRight');
    await until('the second photo', async () => (await tab.run(shownPhoto, null)) === 'Photo 2 of 2 at 1');
    await tab.key('ArrowLeft');
    await until('the first photo', async () => (await tab.run(shownPhoto, null)) === 'Photo 1 of 2 at 0');
  });
  await test.step('and on its page', async () => {
    await tab.run(() => document.querySelector<HTMLElement>('[role=radio][aria-checked=true]')?.focus(), null);
    await tab.key('ArrowRight');
    await tab.sees({ role: 'heading', name: large });
    await until('the focus', () =>
      tab.run(() => document.activeElement?.matches('[role=radio][aria-checked=true]') ?? false, null),
    );
    await tab.key('ArrowLeft');
    await tab.sees({ role: 'heading', name: small });
  });
});

const hasFocus = (tab: Tab, label: string): Promise<void> =>
  until(`the focus on “${label}”`, async () => (await tab.run(focused, null)) === label);

/** Runs in the page. */
const focused = () => document.activeElement?.getAttribute('aria-label');

/** Runs in the page. @returns the name of the shown photo, and where the strip stands, counted in photos */
function shownPhoto(): string {
  const strip = document.querySelector<HTMLElement>('section[aria-label^="Photo "]');
  return strip ? `${strip.ariaLabel} at ${strip.scrollLeft / strip.clientWidth}` : '';
}

/** Runs in the page. */
async function photosOf(id: string): Promise<number> {
  const answer = await fetch(`/api/public/products/${id}`);
  const { data } = (await answer.json()) as AnswerOf<'getProduct'>;
  return data.product.photos?.length ?? 0;
}

/** Runs in a page of staff. @returns the first of two products that are sizes of one another, with two photos */
async function makeSizes(names: string[]): Promise<{ id: string; userId: string }> {
  const change = async <Answer>(method: string, path: string, body: FormData | object): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const headers = { 'idempotency-key': crypto.randomUUID(), ...(!isForm && { 'content-type': 'application/json' }) };
    const answer = await fetch(`/api${path}`, { method, headers, body: isForm ? body : JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json() as Promise<Answer>;
  };
  const feed = (await (await fetch('/api/public/catalog/changes?since=0')).json()) as AnswerOf<'getCatalogChanges'>;
  const [category] = feed.data.changes.categories;
  const ids: string[] = [];
  for (const [at, name] of names.entries()) {
    const form = new FormData();
    const facts = { name, description: 'Made for a test', quantity: '20', availability: 'true' };
    for (const [field, text] of Object.entries({ ...facts, price: `${at + 7}.95`, category: category?.name ?? '' }))
      form.set(field, text);
    const path = `/admin/products/create/${category?.id}`;
    ids.push((await change<AnswerOf<'createProduct'>>('POST', path, form)).data.product.id);
  }
  const [id = '', other] = ids;
  await change('PUT', `/admin/products/${other}/size-of`, { sizeOf: id });
  for (const photo of ['/app-icon-512.png', '/app-icon-180.png']) {
    const form = new FormData();
    form.set('file', await (await fetch(photo)).blob(), 'photo.png');
    await change('POST', `/admin/products/${id}/photos`, form);
  }
  return { id, userId: (JSON.parse(localStorage.getItem('root') ?? '{}') as { id: string }).id };
}
