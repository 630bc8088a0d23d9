import type { DataOf, Schema } from '../../shared/contract';
import { aboutPages } from '../../shared/deviceNames';
import { createEvent } from '../browser/store';
import { answer, api } from '../server/client';
import { db } from './db';

const changed = createEvent();
/** Calls `listener` when the published pages are others than those that were on the device. */
export const whenPagesChange = changed.subscribe;

type Versions = NonNullable<DataOf<'getCatalogChanges'>['changes']['pages']>;

/** All at once: there are at most fifty. */
const mostPages = 100;

/**
 * Saves the owner's pages, if the device has others. The change feed names all published ones, so pages that an earlier
 * build did not save, or a read that failed, are made up for with the next answer.
 */
export async function syncPages(published: Versions): Promise<void> {
  const { about } = await db.ready();
  const saved = (await about.get(aboutPages))?.pages;
  const isSame = ({ slug, changedAt }: Versions[number]) =>
    saved?.some((page) => page.slug === slug && page.changedAt === changedAt) ?? false;
  if (published.length === (saved?.length ?? 0) && published.every(isSame)) return;
  const pages = published.length > 0 ? await readPages() : [];
  await about.put({ key: aboutPages, pages, savedAt: Date.now() });
  if (saved) changed.notify(); // at the first visit, the page already has them
}

async function readPages(): Promise<Schema<'ShopPage'>[]> {
  const signal = AbortSignal.timeout(60_000);
  return (await answer(api.GET('/public/pages', { params: { query: { size: mostPages } }, signal }))).pages.content;
}

/** @returns undefined if it isn't on this device */
export async function readPage(slug: string): Promise<{ data: Schema<'ShopPage'>; asOf: number } | undefined> {
  const { about } = await db.ready();
  const saved = await about.get(aboutPages);
  const data = saved?.pages?.find((page) => page.slug === slug);
  return data && { data, asOf: saved?.savedAt ?? 0 };
}
