// @vitest-environment node
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';

/** What a browser reads before it installs the shop: public/manifest.webmanifest. */
type File = { src: string; sizes: string; type: string; purpose?: string; form_factor?: string; label?: string };
type Shortcut = { name: string; url: string; icons: File[] };
type Manifest = Record<string, unknown> & { icons: File[]; screenshots: File[]; shortcuts: Shortcut[] };
let manifest: Manifest;
beforeAll(async () => {
  manifest = JSON.parse(await readFile('public/manifest.webmanifest', 'utf8')) as Manifest;
});

const required = 'name short_name start_url display icons';
const recommended = `id description scope lang dir orientation categories screenshots shortcuts theme_color background_color
  display_override launch_handler prefer_related_applications`;
test.each(`${required} ${recommended}`.split(/\s+/))('it has %s', (field) => {
  expect(manifest[field]).not.toBeOneOf([undefined, '', null]);
  if (Array.isArray(manifest[field])) expect(manifest[field].length).toBeGreaterThan(0);
});

test('there is an icon for every use: in two sizes, maskable, monochrome', () => {
  const icons = manifest.icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`);
  expect(icons).toEqual(['any 192x192', 'any 512x512', 'maskable 512x512', 'monochrome 512x512']);
});

test('every icon and screenshot exists, in the stated size and type', async () => {
  const shortcuts = manifest.shortcuts.flatMap(({ icons }) => icons);
  for (const { src, sizes, type } of [...manifest.icons, ...manifest.screenshots, ...shortcuts]) {
    const { width, height, format } = await sharp(path.join('public', src)).metadata();
    expect([`${width}x${height}`, `image/${format}`], src).toEqual([sizes, type]);
  }
});

test('the screenshots show a phone and a desktop, in shapes that browsers accept', () => {
  const narrow = manifest.screenshots.filter(({ form_factor }) => form_factor === 'narrow');
  const wide = manifest.screenshots.filter(({ form_factor }) => form_factor === 'wide');
  expect(Math.min(narrow.length, wide.length)).toBeGreaterThan(0);
  for (const { sizes, label } of manifest.screenshots) {
    const [width = 0, height = 0] = sizes.split('x').map(Number);
    const [short, long] = [Math.min(width, height), Math.max(width, height)];
    expect([short >= 320, long <= 3840, long / short <= 2.3, Boolean(label)]).toEqual([true, true, true, true]);
  }
});

test('it has the brand’s colors, and the page has the same icon for iPhones', async () => {
  const palettes = await readFile('src/web/ui/palettes.ts', 'utf8');
  for (const color of [manifest['theme_color'], manifest['background_color']])
    expect(palettes).toContain(`'${String(color)}'`);
  expect(await readFile('src/web/index.html', 'utf8')).toContain('rel="apple-touch-icon" href="/app-icon-180.png"');
});

test('a long press on the icon leads to search, cart and orders', () => {
  expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
    ['Search', '/search'],
    ['Cart', '/cart'],
    ['Orders', '/customer/orders'],
  ]);
});
