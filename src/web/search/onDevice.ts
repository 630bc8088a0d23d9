/** The search over the device's own catalog. */
import type { Schema } from '../../shared/contract';
import { cutPage, inCards } from '../../shared/productLists';
import { asCard } from '../catalog/core/onDevice';
import { type DeviceCatalog, readCatalog } from '../device/catalog';
import { createProductIndex } from './productIndex';

/** @param page from 0 @returns a page of the matching products that are sold, best first, as cards */
export type FindCards = (text: string, page: number, size: number) => Schema<'ProductPage'>;

let opened: { catalog: DeviceCatalog; find: Promise<FindCards> } | undefined;

/**
 * Call it before the first letter is typed. The index is rebuilt when the catalog has changed.
 * @returns undefined if the device has no catalog
 */
export async function openSearch(): Promise<FindCards | undefined> {
  const catalog = await readCatalog();
  if (!catalog) return undefined;
  if (opened?.catalog !== catalog) opened = { catalog, find: createSearch(catalog) };
  return opened.find;
}

async function createSearch(catalog: DeviceCatalog): Promise<FindCards> {
  const search = await createProductIndex(catalog.products);
  return (text, page, size) => {
    const { content, ...pages } = cutPage(inCards(search(text)), page, size);
    return { content: content.map(asCard(catalog)), ...pages };
  };
}
