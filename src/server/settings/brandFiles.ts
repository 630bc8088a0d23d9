/**
 * The files by which a browser knows the shop: the installed app's manifest, its icons, and the icon of the tab. They keep
 * their URLs, and the manifest its `id`, so that an app that was installed before stays the same app. What the owner hasn't
 * changed is served as it was built.
 * Rule: docs/rules/back-office.md, Brand
 */
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultShop } from '../../shared/brand';
import { accentOf, initialPalette } from '../../shared/brandPalettes';
import type { ChangeBus } from '../db/core/changeBus';
import type { StoredLogo } from '../db/schema/tables';
import { sendCached, sendEncoded } from '../http/cache/cachedResponse';
import { createResponseCache } from '../http/cache/responseCache';
import type { PictureStore } from '../pictures/files';
import { iconFile, iconSizes, logoFile, maskableIcon } from '../pictures/logo';
import type { SettingsCache } from './service';

type Parts = { webFolder: string; bus: ChangeBus; settings: SettingsCache; pictureStore: PictureStore };

export async function serveBrandFiles(app: FastifyInstance, { webFolder, bus, settings, pictureStore }: Parts) {
  const builtFile = (name: string) => readFile(path.join(webFolder, name));
  const texts = createResponseCache(bus, {
    quantities: 'upTo10',
    showsSettings: true,
    maxEntries: 2,
    maxBytes: 2 ** 20,
  });
  const serveText = async (name: string, type: string, change: (built: string) => Promise<string>) => {
    const built = await readFile(path.join(webFolder, name), 'utf8');
    const headers = { 'content-type': type };
    const make = async () => ({ status: 200, body: await change(built), headers });
    app.get(`/${name}`, async (request, reply) => sendCached(request, reply, await texts.get(name, make)));
  };
  await serveText('manifest.webmanifest', 'application/manifest+json; charset=utf-8', async (built) => {
    const [shop, logo] = [await settings.get(), await settings.logo()];
    const { description } = await settings.about();
    return manifestOf(built, { ...shop, description }, logo);
  });
  await serveText('favicon.svg', 'image/svg+xml', async (built) => {
    const { shopName, palette } = await settings.get();
    const logo = await settings.logo();
    const png = logo && (await pictureStore.read('pictures', logoFile(logo.hash, 'png')));
    return tabIconOf(built, { shopName, palette, png: png ?? undefined });
  });
  for (const size of iconSizes) {
    const name = `app-icon-${size}.png`;
    const built = await builtFile(name);
    app.get(`/${name}`, async (request, reply) => {
      const logo = await settings.logo();
      const own = logo && (await pictureStore.read('pictures', iconFile(logo.hash, size)));
      const bytes = own ?? built;
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
      return sendEncoded(request, reply, {
        bytes,
        headers: { 'content-type': 'image/png', 'cache-control': 'no-cache', etag },
      });
    });
  }
}

type Settings = Awaited<ReturnType<SettingsCache['get']>>;
type Named = Pick<Settings, 'shopName' | 'palette'> & { description: string | undefined };
type Manifest = { name: string; description: string; theme_color: string; icons: object[]; [other: string]: unknown };

function manifestOf(built: string, { shopName, description, palette }: Named, logo: StoredLogo | null): string {
  const { short_name, screenshots, ...manifest } = JSON.parse(built) as Manifest;
  const isNamed = shopName !== defaultShop.name;
  // screenshots show the shop's initial name and logo, and a short name that isn't chosen would be worse than none
  if (!isNamed && !logo && palette === initialPalette && description === undefined) return built;
  return JSON.stringify({
    ...manifest,
    name: shopName,
    ...(!isNamed && { short_name, ...(!logo && { screenshots }) }),
    description: description ?? manifest.description,
    theme_color: accentOf(palette),
    ...(logo && { icons: iconsOf(logo.hash) }),
  });
}

/** Their URLs change with the logo: browsers ask for an icon of an installed app again only at another URL. */
const iconsOf = (hash: string) => [
  ...iconSizes.filter((size) => size !== 180).map((size) => icon(iconFile(hash, size), size, 'any')),
  icon(maskableIcon.fileOf(hash), maskableIcon.size, 'maskable'),
];

const icon = (file: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/pictures/${file}`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

type Look = Pick<Settings, 'shopName' | 'palette'> & { png: Buffer | undefined };

/** The logo, or the ampersand in the shop's color. An icon of a tab loads no other files. */
function tabIconOf(built: string, { shopName, palette, png }: Look): string {
  const label = `role="img" aria-label="${escape(shopName)}"`;
  if (png)
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" ${label}><image width="32" height="32" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
  return built
    .replace(/role="img" aria-label="[^"]*"/, () => label)
    .replaceAll(accentOf(initialPalette), accentOf(palette));
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Built files that this module serves. */
export const brandFiles = ['manifest.webmanifest', 'favicon.svg', ...iconSizes.map((size) => `app-icon-${size}.png`)];
