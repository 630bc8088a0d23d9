import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { see, until } from '../openTab';
import { type Read, storefrontReads } from './reads';
import { stage } from './stage';
import { staffReads } from './staffReads';

/**
 * Every place of the app that reads something, and what it says when the shop refuses.
 * Rule: docs/rules/screens.md, Reading data
 */
beforeAll(() => stage.raise());
afterEach(() => stage.clear());
afterAll(() => stage.shop.close());

const reads = [...storefrontReads, ...staffReads];
const table = reads.map((read) => [`${read.at} ${read.what}`, read] as const);

/** Refuses what the place reads. */
async function refuse({ refused, provoke }: Read, status: number, problem: object): Promise<void> {
  const headers = { 'content-type': 'application/problem+json' };
  const answer = () => new Response(JSON.stringify({ code: 'refused', ...problem }), { status, headers });
  await provoke(() => {
    stage.tab().network.answers = (pathname) => (refused.test(pathname) ? answer() : undefined);
  });
}

const named = (scope: ParentNode, name: string) =>
  [...scope.querySelectorAll<HTMLElement>('a, button')].filter((each) => (each.textContent ?? '').trim() === name);

/** The parts of the page, dialogs included, that say the sentence: never the toasts, which stand outside of them. */
const placesSaying = (sentence: string) =>
  [...document.querySelectorAll('main, [role=dialog], [role=alertdialog]')].filter((each) =>
    each.textContent?.includes(sentence),
  );
const toasts = () =>
  [...document.querySelectorAll('[role=alert]')].filter((each) => each.querySelector('[aria-label=Close]'));

let asked = 0;
const ownSentence = () => `The shop is counting its jars, ask again in ${(asked += 1)} minutes.`;

describe('what is refused says why, where the data would stand', () => {
  test.each(table)('%s', async (_, read) => {
    const sentence = ownSentence();
    await refuse(read, 409, { message: sentence });
    await see(sentence);
    await until(() => placesSaying(sentence).length > 0);
    const inToasts = () => toasts().filter((each) => each.textContent?.includes(sentence)).length;
    if (read.isToldTwice) await until(() => inToasts() === 1);
    else expect(inToasts()).toBe(0);
    const [place] = placesSaying(sentence);
    if (read.what !== 'paymentQuery') expect(named(place ?? document, 'Try again')).toHaveLength(1);
  });
});

describe('what is refused without a word says what failed', () => {
  test.each(table)('%s', async (_, read) => {
    await refuse(read, 409, {});
    await until(() => placesSaying(read.failure).length > 0);
  });
});

describe('what does not exist leads on, and is not asked for again', () => {
  test.each(table)('%s', async (_, read): Promise<void> => {
    const sentence = ownSentence();
    await refuse(read, 404, { message: sentence });
    if (read.back === 'not found') {
      await see('404 not found');
      return expect(named(document.querySelector('main') ?? document, 'Home')).toHaveLength(1);
    }
    await until(() => placesSaying(sentence).length > 0);
    const place = placesSaying(sentence).at(-1) ?? document;
    expect(named(place, 'Try again')).toEqual([]);
    if (read.back === 'closes') return expect(place.querySelector('button')).not.toBeNull();
    const notice = place.querySelector('[role=alert]') ?? place; // what became of a payment is a page of its own
    expect(named(notice, read.back.link).map(({ tagName }) => tagName)).toEqual(['A']);
  });
});

const waits = reads.flatMap((read) => (read.loading ? [[`${read.at} ${read.what}`, read, read.loading] as const] : []));

describe('what is on its way has skeletons, and is said once', () => {
  test.each(waits)('%s', async (_, { refused, provoke }, loading) => {
    const never = new Promise<void>(() => undefined);
    await provoke(() => {
      stage.tab().network.delays = ({ url }) => (refused.test(new URL(url).pathname) ? never : undefined);
    });
    const said = () => [...document.querySelectorAll('output')].filter(({ textContent }) => textContent === loading);
    await until(() => said().length > 0);
    expect(said()).toHaveLength(1);
    const busy = [...document.querySelectorAll('[aria-busy=true]')];
    expect(busy.filter((each) => each.querySelector('.skeleton'))).not.toEqual([]);
    // what is busy is not read out before it is done
    expect(busy.filter((each) => each.contains(said()[0] ?? null))).toEqual([]);
  });
});

/** Reads that say nothing of a failure, and why nobody misses it. */
const silent: Record<string, string> = {
  'catalog/queries.ts categoriesQuery': 'the two categories that every shop has stand in their place',
  'settings/queries.ts shopQuery': 'the shop’s name and contact as they were, or the example’s, stand in their place',
  'cart/queries.ts cartQuery': 'the pages that show the cart say it',
  'checkout/useTotal.ts shopQuery': 'the shop refuses a total that was not shown, and says the new one',
  'lists/queries.ts listsQuery': 'the pages that show the lists say it',
  'lists/SaveCart.tsx listsQuery': 'the page of lists, where it leads, says it',
  'kitchen/products.ts listedQuery': 'the products that the device knows stay, and the others have no name',
  'kitchen/useOrderToPar.ts latestOrdersQuery': 'the sheet waits for what is on its way, and the list works without it',
  'kitchen/useOrderToPar.ts cartQuery': 'the pages that show the cart say it',
  'kitchen/useOrderToPar.ts useQueries': 'the stock that the device knows stays',
  'checkout/ReadyOrderPage.tsx cartQuery': 'it says so as the checkout does, whose row is in the table',
  'checkout/ReadyOrderPage.tsx intentQuery': 'of this device: what it cannot read does not wait, and the cart is there',
  'checkout/CheckoutPage.tsx part': 'of this device: what it cannot read does not wait, and the cart is there',
  'waiting/intent.ts intentQuery': 'of this device: what it cannot read does not wait, and the cart is there',
  'cart/CartTotal.tsx userQuery': 'asked without a connection alone; the button then says that it needs one',
  'checkout/providerScript.ts settingsQuery': 'paying does not depend on the script',
  'admin/shell/AdminHeader.tsx userQuery': 'the session knows the name; only the email is missing',
  'admin/products/AdminProductsPage.tsx categoryChoicesQuery':
    'a filter; the list says it when the shop is out of reach',
  'admin/products/queries.ts categoryChoicesQuery': 'a category is called by its short name meanwhile',
  'admin/discounts/queries.ts categoryChoicesQuery': 'the conditions say that it is some categories meanwhile',
  'admin/orders/useNarrowing.ts categoryChoicesQuery': 'the filter says that it is this one meanwhile',
  'admin/orders/useNarrowing.ts codeQuery': 'the filter says that it is this one meanwhile',
  'admin/orders/useNarrowing.ts productNameQuery': 'the filter says that it is this one meanwhile',
  'admin/settings/queries.ts settingsQuery': 'days are those of UTC meanwhile',
  'admin/dashboard/ExampleContact.tsx settingsQuery': 'a reminder, which is there at the next visit',
};

test('no place that reads is left out', () => {
  const root = 'src/web';
  const places = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      queriesOf(readFileSync(path.join(root, file), 'utf8')).map((what) => `${file.replaceAll(path.sep, '/')} ${what}`),
    );
  expect(places.length).toBeGreaterThan(40);
  expect(places.toSorted()).toEqual([...table.map(([place]) => place), ...Object.keys(silent)].toSorted());
});

/** @returns the queries that a file reads, by their names; of several at once, the hook's */
const queriesOf = (source: string): string[] =>
  [...source.matchAll(/\buse(?:[A-Z]\w*)?Quer(?:y|ies)\(\s*(?:\{\s*\.\.\.)?(\w*)/g)].map(([call, name]) =>
    name ? name : (/use\w+/.exec(call)?.[0] ?? call),
  );

test.each([
  ['useQuery(cartQuery(user.id))', 'cartQuery'],
  ['useQuery({ ...foundQuery(q), enabled })', 'foundQuery'],
  ['useQuery(\n  shopQuery)', 'shopQuery'],
  ['useSuspenseQuery(shopQuery)', 'shopQuery'],
  ['useQueries({ queries: ids.map(promotionsQuery) })', 'useQueries'],
])('a read is found: %s', (source, name) => expect(queriesOf(source)).toEqual([name]));
