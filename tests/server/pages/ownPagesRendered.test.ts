import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtApp } from '../../support/builtApp';
import { canonicalOf, metaOf, reader } from '../../support/pages';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** The owner's pages as the server renders them. Rule: docs/rules/pages.md, Reading */
let shop: TestShop;
let get: ReturnType<typeof reader>;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop({ webFolder: await builtApp() });
  get = reader(shop.app);
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const terms = {
  slug: 'terms',
  title: 'Terms & Co',
  markdown: 'Be **kind** & fair.\n\n## Orders\n\n[Contact](/contact)',
  isPublished: true,
};

test('a page has its text, title, description, and canonical URL without scripts, and is in footer and sitemap', async () => {
  expect((await get('/pages/terms')).status).toBe(404);
  expect((await get('/')).body).not.toContain('/pages/terms');
  const created = await shop.call('createPage', { as: admin, body: terms });
  await shop.call('createPage', { as: admin, body: { ...terms, slug: 'draft', isPublished: false } });
  const { status, body } = await get('/pages/terms');
  expect(status).toBe(200);
  expect(body).toContain('<p>Be <strong>kind</strong> &amp; fair.</p>\n<h2>Orders</h2>');
  expect(body).toContain('<title>Terms &amp; Co | Savory, Seasoning &amp; Spices</title>');
  expect(metaOf(body)['description']).toBe('Be kind &amp; fair.');
  expect(canonicalOf(body)).toEqual([expect.stringMatching(/\/pages\/terms$/)]);
  const home = (await get('/')).body;
  expect(home).toContain('href="/pages/terms"');
  expect(home).not.toContain('/pages/draft');
  expect((await get('/pages/draft')).status).toBe(404);
  const sitemap = (await get('/sitemap.xml')).body;
  expect(sitemap).toContain('/pages/terms</loc>');
  expect(sitemap).not.toContain('/pages/draft');
  expect((await get('/robots.txt')).body).not.toContain('Disallow: /pages');
  const { id } = created.data.page;
  await shop.call('updatePage', { as: admin, path: { id }, body: { ...terms, markdown: 'New.', title: 'Rules' } });
  expect((await get('/pages/terms')).body).toContain('<p>New.</p>');
  expect((await get('/')).body).toContain('Rules');
  await shop.call('deletePage', { as: admin, path: { id } });
  expect((await get('/pages/terms')).status).toBe(404);
  expect((await get('/')).body).not.toContain('/pages/terms');
  expect((await get('/sitemap.xml')).body).not.toContain('/pages/terms');
});
