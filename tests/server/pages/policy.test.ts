import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brandFiles } from '../../../src/server/settings/brandFiles';
import { builtApp } from '../../support/builtApp';
import { nobody, productPage, reader } from '../../support/pages';
import { openOwnShop, type TestShop } from '../../support/shop';

/**
 * The content policy allows the shop's own code, and nothing that got into a page in another way. Each test injects
 * code into the built app's page, at each place where the rendering inserts content.
 */
const script = 'alert("got in")';
const style = 'body{background:url(//evil.test)}';
const code = `<script>${script}</script><script id="x" >${script}</script><style>${style}</style>`;

let shop: TestShop;
let folder: string;
let get: ReturnType<typeof reader>;
let pepper: { id: string };
beforeAll(async () => {
  const built = await builtApp();
  folder = await mkdtemp(path.join(tmpdir(), 'shop-policy-'));
  const webFolder = path.join(folder, 'web');
  await mkdir(webFolder);
  await cp(path.join(built, '.vite'), path.join(webFolder, '.vite'), { recursive: true });
  for (const file of ['sw.js', ...brandFiles]) await cp(path.join(built, file), path.join(webFolder, file));
  await symlink(path.join(built, 'assets'), path.join(webFolder, 'assets'));
  await symlink(path.join(built, '../render'), path.join(folder, 'render'));
  const page = await readFile(path.join(built, 'index.html'), 'utf8');
  await writeFile(path.join(webFolder, 'index.html'), page.replace(/<!--(?:head|app|data)-->|<\/head>/g, `${code}$&`));
  shop = await openOwnShop({ webFolder });
  get = reader(shop.app);
  pepper = await shop.stock({ categoryId: (await shop.category({ name: 'hot-things' })).id });
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('injected code has no hash in the page’s policy, while the page’s own code has', async () => {
  for (const url of ['/', '/products/hot-things', productPage(pepper.id), '/contact', productPage(nobody)]) {
    const { body, headers } = await get(url);
    expect(body.split(code), url).toHaveLength(5);
    const policy = String(headers['content-security-policy']);
    expect(policy, url).toMatch(/script-src 'self'(?: 'sha256-[^']+'){2,3};/);
    expect(policy).not.toContain(hashOf(script));
    expect(policy).not.toContain(hashOf(style));
  }
});

test('a private page, which has no inline code, allows none', async () => {
  const { body, headers } = await get('/checkout');
  expect(body).toContain(code);
  expect(headers['content-security-policy']).toMatch(/script-src 'self'; style-src 'self' '[^']+'; /);
});
