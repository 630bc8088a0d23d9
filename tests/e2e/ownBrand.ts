/** A shop with its owner's look, for the browser tests of it. */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext } from 'playwright/test';
import type { AnswerOf } from '../../src/shared/contract';
import { change } from './calls';

export const ownBrand = {
  shopName: 'Kerr & Daughters',
  contactEmail: 'kerr@tools.example',
  contactPhone: '+220 555 0100',
  bannerTitle: 'Tools for life',
  bannerText: 'Sharpened in Serekunda.',
  aboutText: 'We sharpen **everything** that cuts.',
  palette: 'green',
  storeAddress: '12 Kairaba Avenue\nSerekunda',
} as const;

type Owner = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Gives the shop another name, texts, colors, and a logo during `visit`. Other tests see the initial look. */
export async function withOwnBrand(browser: Browser, owner: Owner, url: string, visit: () => Promise<void>) {
  const office = await browser.newContext({ storageState: owner, baseURL: url });
  const page = await office.newPage();
  await page.goto('/contact');
  const before = (await (await page.request.get('/api/admin/settings')).json()) as AnswerOf<'getSettings'>;
  const { settings } = before.data;
  const set = (data: object) => change<'updateSettings'>(page, 'PUT', '/admin/settings', { data });
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: await readFile('public/app-icon-192.png') };
  try {
    await set({ ...settings, ...ownBrand });
    await change<'setLogo'>(page, 'PUT', '/admin/settings/logo', { multipart: { file } });
    await visit();
  } finally {
    await change<'removeLogo'>(page, 'DELETE', '/admin/settings/logo');
    await set(settings);
    await office.close();
  }
}
