import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pictures, products, productSlugs } from '../../../src/server/db/schema/tables';
import { builtApp } from '../../support/builtApp';
import { all, canonicalOf, dataOf, metaOf, nobody, productPage, reader } from '../../support/pages';
import { openOwnShop, type TestShop } from '../../support/shop';

const origin = 'http://localhost:3000';
const hash = '0123456789abcdef';

let shop: TestShop;
let get: ReturnType<typeof reader>;
let category: { id: string; name: string };
let pepper: { id: string };
beforeAll(async () => {
  shop = await openOwnShop({ webFolder: await builtApp() });
  get = reader(shop.app);
  category = await shop.category({ name: 'hot-things', title: 'Hot & <Spicy>' });
  const size = { width: 1600, height: 1600, widths: [160, 320, 640, 1280] };
  await shop.db.insert(pictures).values({ hash, ...size, placeholder: '#804020', createdAt: shop.clock.now() });
  pepper = await shop.stock({ categoryId: category.id, pictureHash: hash, origin: 'Senegal', allergens: ['fish'] });
});
afterAll(() => shop.close());

describe('the metadata of', () => {
  test('the home page', async () => {
    const { body } = await get('/?utm_source=letter');
    expect(all(body, /<title>([^<]*)<\/title>/g)).toEqual(['Savory, Seasoning &amp; Spices']);
    expect(canonicalOf(body)).toEqual([`${origin}/`]);
    expect(metaOf(body)['og:image']).toMatch(/^http:\/\/localhost:3000\/pictures\/[\da-f]{16}-1280\.webp$/);
  });

  test.each([
    ['/products/hot-things', '/products/hot-things'],
    ['/products/hot-things?utm_source=letter', '/products/hot-things'],
    ['/products/hot-things?heat=1,2', '/products/hot-things'],
    ['/products/hot-things?origin=Senegal&allergens=fish', '/products/hot-things'],
  ])('the list at %s has its canonical URL %s', async (url, canonical) => {
    expect(canonicalOf((await get(url)).body)).toEqual([origin + canonical]);
  });

  test('a later page of a list has its own URL', async () => {
    const long = await shop.category({ name: 'long-list' });
    for (let index = 0; index < 11; index++) await shop.stock({ categoryId: long.id });
    const { status, body } = await get('/products/long-list?page=2');
    expect(status).toBe(200);
    expect(canonicalOf(body)).toEqual([`${origin}/products/long-list?page=2`]);
    expect(body).toContain('<title>Long list, page 2 | ');
    expect(body).toMatch(/<a[^>]* href="\/products\/long-list"/); // pages are links
  });

  test('a product with a readable address has it as its canonical URL, at its other URL too', async () => {
    const { id } = await shop.stock({ categoryId: category.id, slug: 'black-pepper-whole' });
    await shop.db.insert(productSlugs).values([
      { slug: 'black-pepper-whole', productId: id, createdAt: shop.clock.now() },
      { slug: 'pepper-of-before', productId: id, createdAt: shop.clock.now() },
    ]);
    for (const url of ['/p/black-pepper-whole', productPage(id)])
      expect(canonicalOf((await get(url)).body)).toEqual([`${origin}/p/black-pepper-whole`]);
    expect((await get('/sitemap.xml')).body).toContain(`<loc>${origin}/p/black-pepper-whole</loc>`);
    const former = await get('/p/pepper-of-before');
    expect([former.status, former.headers['location']]).toEqual([301, '/p/black-pepper-whole']);
    expect((await get('/p/no-such-pepper')).status).toBe(404);
  });

  test('the page of a product describes it in words, for previews, and as data', async () => {
    const { body } = await get(productPage(pepper.id));
    const url = origin + productPage(pepper.id);
    expect(body).toContain('<title>Black pepper | Savory, Seasoning &amp; Spices</title>');
    expect(canonicalOf(body)).toEqual([url]);
    expect(metaOf(body)).toMatchObject({
      description: 'Whole berries.',
      'og:title': 'Black pepper',
      'og:description': 'Whole berries.',
      'og:type': 'product',
      'og:url': url,
      'og:site_name': 'Savory, Seasoning &amp; Spices',
      'og:image': `${origin}/pictures/${hash}-1280.webp`,
    });
    expect(all(body, /<img [^>]*src="([^"]*)"[^>]*fetchPriority="high"/g)).toEqual([`/pictures/${hash}-640.webp`]);
    const [product, way] = dataOf(body);
    expect(product).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Black pepper',
      description: 'Whole berries.',
      sku: pepper.id,
      category: 'Hot & <Spicy>',
      image: [`${origin}/pictures/${hash}-1280.webp`],
      offers: {
        '@type': 'Offer',
        url,
        price: '4.50',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
      },
    });
    expect(way).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { position: 1, name: 'Home', item: `${origin}/` },
        { position: 2, name: 'Hot & <Spicy>', item: `${origin}/products/hot-things` },
        { position: 3, name: 'Black pepper', item: url },
      ],
    });
  });

  test('a sold-out product says so as data', async () => {
    const { id } = await shop.stock({ quantity: 0 });
    expect(dataOf((await get(productPage(id))).body)[0]).toMatchObject({
      offers: { availability: 'https://schema.org/OutOfStock' },
    });
  });

  test.each([
    '</script><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "$& $' $` $1 <!--app-->",
    '\u2028 & é 日本',
  ])('a product called %s is only text', async (name) => {
    const { id } = await shop.stock({ name, description: name });
    const { body, headers } = await get(productPage(id));
    expect(dataOf(body)[0]).toMatchObject({ name, description: name });
    const seed = all(body, /<script id="page-data" type="application\/json">([^]*?)<\/script>/g)[0] ?? '';
    expect(JSON.stringify(JSON.parse(seed))).toContain(JSON.stringify(name));
    expect(body).not.toMatch(/<script>alert|<img src=x/);
    expect(body.match(/<div id="root">/g)).toHaveLength(1);
    expectOnlyHashedCode(body, String(headers['content-security-policy']));
  });
});

test.each(['/', '/products/hot-things', '/contact', '/nothing'])(
  'the policy of %s names each inline block by its hash',
  async (url) => {
    const { body, headers } = await get(url);
    const policy = String(headers['content-security-policy']);
    expectOnlyHashedCode(body, policy);
    expect(policy).not.toContain('unsafe');
    expect(body).not.toMatch(/<[a-z][^>]* (?:style|on[a-z]+)="/);
  },
);

/** Each inline script and style is allowed by its hash, and there is no other hash. */
function expectOnlyHashedCode(html: string, policy: string): void {
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const listed = (directive: string) => new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? [];
  const scripts = all(html, /<script(?![^>]* (?:src|type)=)[^>]*>([^]*?)<\/script>/g).map(hashOf);
  const styles = all(html, /<style[^>]*>([^]*?)<\/style>/g).map(hashOf);
  expect(new Set(listed('script-src'))).toEqual(new Set(["'self'", ...scripts]));
  expect(new Set(listed('style-src'))).toEqual(new Set(["'self'", hashOf(''), ...styles]));
}

describe('for search engines', () => {
  test('sitemap.xml has home, the contact form, categories and every product on sale', async () => {
    const unsold = await shop.stock({ categoryId: category.id });
    const before = await get('/sitemap.xml');
    expect(before.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(all(before.body, /<loc>([^<]*)<\/loc>/g)).toEqual(
      expect.arrayContaining([
        `${origin}/`,
        `${origin}/contact`,
        `${origin}/products/hot-things`,
        origin + productPage(unsold.id),
      ]),
    );
    await shop.db.update(products).set({ archivedAt: shop.clock.now() }).where(eq(products.id, unsold.id));
    await expect.poll(async () => (await get('/sitemap.xml')).body).not.toContain(unsold.id);
  });

  test('robots.txt has the sitemap’s URL and the private paths', async () => {
    const { status, body, headers } = await get('/robots.txt', { accept: '*/*' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' });
    expect(body).toContain(`Sitemap: ${origin}/sitemap.xml\n`);
    for (const path of ['/api/', '/cart', '/checkout', '/customer/orders', '/dashboard', '/products$'])
      expect(body.split('\n')).toContain(`Disallow: ${path}`);
    const closed = all(body, /^Disallow: (.*[^$])$/gm);
    for (const open of ['/', '/products/savory', productPage(nobody)])
      expect(
        closed.filter((path) => open.startsWith(path)),
        open,
      ).toEqual([]);
  });
});
