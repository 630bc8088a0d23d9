/** sitemap.xml and robots.txt. */
import { answer, api } from '../server/client';
import { addressOf } from '../catalog/core/addressOf';
import { findPublicPage } from './publicPages';
import type { Shop } from './shop';

type Router = Shop['router'];

const pageSize = 100;

/** Home, the contact form, the owner's pages, and all category pages and sold products. */
export async function renderSitemap(router: Router, origin: string): Promise<string> {
  const categories = await listAll(async (query) => (await answer(api.GET('/public/categories', query))).categories);
  const products = await listAll(async (query) => (await answer(api.GET('/public/products', query))).products);
  const pages = await listAll(async (query) => (await answer(api.GET('/public/pages', query))).pages);
  const locations = [
    router.buildLocation({ to: '/' }),
    router.buildLocation({ to: '/contact' }),
    ...pages.map(({ slug }) => router.buildLocation({ to: '/pages/$slug', params: { slug } })),
    ...categories.map(({ name }) => router.buildLocation({ to: '/products/$category', params: { category: name } })),
    ...products.map((product) => router.buildLocation(addressOf(product))),
  ];
  const urls = locations.map(({ href }) => `<url><loc>${escapeXml(origin + href)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

type PageOf<Row> = { content: Row[]; totalPages: number };
type Query = { params: { query: { page: number; size: number } } };

async function listAll<Row>(read: (query: Query) => Promise<PageOf<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 0, totalPages = 1; page < totalPages; page++) {
    const result = await read({ params: { query: { page, size: pageSize } } });
    rows.push(...result.content);
    ({ totalPages } = result);
  }
  return rows;
}

/** Rendered by the server, but not indexed: each exists with any page of the shop as its `?redirect=`. */
const notIndexed = new Set<string>(['/login', '/register', '/forgot-password']);

/** Disallows private pages and the API; `$` ends a path that is a prefix of a public one. */
export function robotsOf(router: Router, origin: string): string {
  const routes = Object.values(router.routesByPath);
  const pathOf = ({ fullPath }: { fullPath: string }) => fullPath.replace(/\$.*/, '');
  const isPublic = ({ fullPath }: { fullPath: string }) =>
    findPublicPage(fullPath) !== undefined && !notIndexed.has(fullPath);
  const open = routes.filter(isPublic).map(pathOf);
  const closed = routes
    .filter((route) => !isPublic(route))
    .map(pathOf)
    .map((path) => (open.some((other) => other.startsWith(path)) ? `${path}$` : path));
  return [
    'User-agent: *',
    'Disallow: /api/',
    ...[...new Set(closed)].toSorted().map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
}

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
