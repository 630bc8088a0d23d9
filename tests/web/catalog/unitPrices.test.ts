/**
 * Unit prices of random products are those of a decimal library (PostgreSQL's numeric), and the same on card, page, cart
 * line, and search hit, online and offline. Rule: docs/rules/catalog.md, Net amounts and unit prices
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { formatMoney } from '../../../src/shared/money';
import { unitPrice } from '../../../src/shared/unitPrice';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { createRandom } from '../../chaos/random';
import { putInCart } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { logSeed, seed } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { emptyCatalog, openTab, press, search, see, until, type Tab } from '../openTab';

const { below } = createRandom(seed);
let shop: TestShop;
let ana: Person;
let tab: Tab | undefined;
beforeAll(async () => {
  shop = await openOwnShop();
  ana = await shop.signIn();
});
beforeEach(() => onTestFailed(logSeed));
beforeEach(emptyCatalog);
afterEach(() => tab?.close());
afterAll(async () => {
  await shop.close();
  await emptyCatalog();
});

type Random = { cents: number; isVolume: boolean; amount: number };
/** The largest prices and amounts too. */
const randomProduct = (_: unknown, at: number): Random => ({
  cents: 1 + below(at % 2 === 0 ? 5_000 : 9_999_999),
  isVolume: below(4) === 0,
  amount: 1 + below(at % 3 === 0 ? 500 : 100_000),
});

/** Computed by the database, with 30 decimals before it rounds. @returns the unit prices in ounces, and in metric units */
async function exactPrices(products: readonly Random[]): Promise<{ us: string; metric: string }[]> {
  const { rows } = await shop.pool.query<{ us: string; metric: string; unit: string }>(
    `select round(cents::numeric(50, 30) / amount * case when is_volume then 29.5735295625 else 28.349523125 end) as us,
       round(cents::numeric(50, 30) / amount * 100) as metric
     from unnest($1::int[], $2::int[], $3::bool[]) with ordinality as of(cents, amount, is_volume, at) order by at`,
    [
      products.map(({ cents }) => cents),
      products.map(({ amount }) => amount),
      products.map(({ isVolume }) => isVolume),
    ],
  );
  return rows.map(({ us, metric }, at) => {
    const isVolume = products[at]?.isVolume;
    return {
      us: `${formatMoney(Number(us))}/${isVolume ? 'fl oz' : 'oz'}`,
      metric: `${formatMoney(Number(metric))}/100 ${isVolume ? 'ml' : 'g'}`,
    };
  });
}

const netOf = ({ isVolume, amount }: Random) => (isVolume ? { netMillilitres: amount } : { netGrams: amount });

test('the unit prices of 500 random products are those of a decimal library', async () => {
  const products = Array.from({ length: 500 }, randomProduct);
  const shown = products.map((product) => ({
    us: unitPrice(product.cents, netOf(product), 'us'),
    metric: unitPrice(product.cents, netOf(product), 'metric'),
  }));
  expect(shown).toEqual(await exactPrices(products));
});

const rounds = Array.from({ length: isNightly ? 50 : 1 }, (_, round) => round);
const inTimeMs = 600_000;

test.each(rounds)(
  'card, page, cart, and search say the same, online and offline (round %i)',
  { timeout: inTimeMs },
  async (round) => {
    const products = Array.from({ length: 10 }, randomProduct); // a page of a list
    const exact = await exactPrices(products);
    const category = await shop.category();
    const word = `Figure${'abcdefghij'[round % 10]}${'klmnopqrst'[Math.floor(round / 10)]}`;
    const paths: string[] = [];
    await shop.call('clearCart', { as: ana, path: { userId: ana.userId } });
    for (const [at, product] of products.entries()) {
      const facts = { priceCents: product.cents, categoryId: category.id, ...netOf(product) };
      const { id } = await shop.stock({ ...facts, name: nameOf(word, at) });
      await putInCart(shop, ana, id);
      paths.push(`/customer/view/product/${id}`);
    }
    const expected = Object.fromEntries(exact.map(({ us }, at) => [nameOf(word, at), us]));
    tab = openTab(shop, '/cart', { as: ana });
    await see('Clear Cart');
    await syncCatalog(journal);
    for (const isDown of [false, true]) {
      await tab.setDown(isDown);
      await tab.go(`/products/${category.name}`);
      await see('10 products');
      expect(pricesIn('main li')).toEqual(expected);
      await tab.go('/cart');
      await see('Clear Cart');
      expect(pricesIn('main tbody tr')).toEqual(expected);
      await search(word);
      await until(() => document.querySelectorAll('[role=option] mark').length > 0);
      const found = pricesIn('[role=option]');
      expect(Object.keys(found).length).toBeGreaterThan(3);
      expect(expected).toMatchObject(found);
      await press('Close search');
      for (const [at, path] of paths.entries()) {
        await tab.go(path);
        await see(nameOf(word, at));
        await until(() => document.querySelector('h1')?.textContent === nameOf(word, at));
        expect(priceIn(document.querySelector('main'))).toBe(expected[nameOf(word, at)]);
      }
    }
  },
);

const nameOf = (word: string, at: number) => `${word} number ${at}`;
const priceIn = (element: Element | null) => /\$[\d,]+\.\d\d\/(?:fl )?oz/.exec(element?.textContent ?? '')?.[0];
/** The unit price of each product that is shown, by its name. */
const pricesIn = (selector: string) =>
  Object.fromEntries(
    [...document.querySelectorAll(selector)].flatMap((element) => {
      const name = /Figure\w\w number \d/.exec(element.textContent ?? '')?.[0];
      return name ? [[name, priceIn(element)]] : [];
    }),
  );
