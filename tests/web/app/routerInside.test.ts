// @vitest-environment node
import { runInNewContext } from 'node:vm';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { createElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { attachToServer, detachFromServer, renderRouter, matchPath, statusOf } from '../../../src/web/app/routerInside';

/**
 * The internals of TanStack Router that the shop relies on, on a separate router: an incompatible upgrade fails here
 * first.
 */
const root = createRootRoute({ notFoundComponent: () => 'nothing here' });
const getParentRoute = () => root;
const jar = createRoute({
  getParentRoute,
  path: 'jars/$name',
  validateSearch: ({ page }) => ({ page }),
  loader: ({ params }) => `a jar of ${params.name}`,
  component: function Jar() {
    return createElement('h1', null, jar.useLoaderData());
  },
});
const routeTree = root.addChildren([
  createRoute({ getParentRoute, path: '/', component: () => createElement('h1', null, 'Home') }),
  jar,
  createRoute({
    getParentRoute,
    path: 'spilled',
    component: () => createElement('p', { dangerouslySetInnerHTML: { __html: '<script>alert(1)</script>' } }),
  }),
  createRoute({
    getParentRoute,
    path: 'broken',
    loader: () => {
      throw new Error('no such luck');
    },
  }),
  createRoute({
    getParentRoute,
    path: 'moved',
    beforeLoad: () => {
      throw redirect({ to: '/' });
    },
  }),
]);

const createTestRouter = (url: string) =>
  createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [url] }), scrollRestoration: true });
let router: ReturnType<typeof createTestRouter>;
afterEach(() => detachFromServer(router));

async function load(url: string) {
  router = createTestRouter(url);
  attachToServer(router, 'https://shop.example');
  await router.load();
}
interface Page {
  self?: Page;
  document: object;
  $_TSR?: { router?: { matches: { l?: unknown }[] } };
}

test('a page is rendered with its data, and with what a browser needs to hydrate it', async () => {
  await load('/jars/pepper');
  expect(statusOf(router)).toBe(200);
  expect(router.origin).toBe('https://shop.example');
  const { html, scripts } = await renderRouter(router);
  expect(html).toContain('<h1>a jar of pepper</h1>');
  expect(scripts).toHaveLength(1);
  const [code = ''] = scripts;
  const page: Page = { document: { currentScript: { remove: () => undefined } } };
  page.self = page;
  runInNewContext(code, page);
  expect(page.$_TSR?.router?.matches.at(-1)?.l).toBe('a jar of pepper');
});

test('data in that code does not end it', async () => {
  await load(`/jars/${encodeURIComponent('</script><script>alert(1)</script><!--')}`);
  const { scripts } = await renderRouter(router);
  expect(scripts.join('')).toContain('alert(1)');
  expect(scripts.join('')).not.toMatch(/<\/?script|<!--/i);
});

test('the router’s own code in a rendered page is recognized, and no other', async () => {
  await load('/jars/pepper');
  const { html, inside } = await renderRouter(router);
  expect([...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code]) => code)).toEqual(inside);
  detachFromServer(router);
  await load('/spilled');
  const spilled = await renderRouter(router);
  expect(spilled.html).toContain('<script>alert(1)</script>');
  expect(spilled.inside).toEqual(inside);
});

test('an unknown URL is a 404', async () => {
  await load('/nowhere');
  expect(statusOf(router)).toBe(404);
  expect((await renderRouter(router)).html).toContain('nothing here');
});

test('an error of loading a page is thrown', async () => {
  await load('/broken');
  expect(() => statusOf(router)).toThrow('no such luck');
});

test('a redirecting page is not rendered', async () => {
  await load('/moved');
  expect(() => statusOf(router)).toThrow('leads elsewhere');
});

test.each([
  ['/', true],
  ['/jars/pepper', true],
  ['/jars/pepper/lid', false],
  ['/jars//pepper', false],
  ['/nowhere', false],
])('the path %s is matched as a whole: %s', (path, isThere) => {
  router = createTestRouter('/');
  expect(matchPath(router, path) !== undefined).toBe(isThere);
});

test('a URL is built with its route’s knowledge of the search parameters', () => {
  router = createTestRouter('/');
  const found = matchPath(router, '/jars/black%20pepper');
  expect(found).toMatchObject({ path: '/jars/$name', hasParams: true });
  expect(found?.buildUrl(found.read('page=2&from=mail'))).toBe('/jars/black%20pepper?page=2');
  expect(matchPath(router, '/')).toMatchObject({ path: '/', hasParams: false });
});
