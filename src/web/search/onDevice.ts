/** The search over the device's own catalog. */
import type { Schema } from '../../shared/contract';
import { type DeviceCatalog, readCatalog } from '../device/catalog';
import { createProductIndex, type Search } from './productIndex';

let opened: { catalog: DeviceCatalog; search: Promise<Search> } | undefined;

/** @returns the matching products that are sold, best first; undefined if the device has no catalog */
export async function searchDevice(text: string): Promise<Schema<'Product'>[] | undefined> {
  return (await openSearch())?.(text);
}

/** Call it before the first letter is typed. The index is rebuilt when the catalog has changed. */
export async function openSearch(): Promise<Search | undefined> {
  const catalog = await readCatalog();
  if (!catalog) return undefined;
  if (opened?.catalog !== catalog) opened = { catalog, search: createProductIndex(catalog.products) };
  return opened.search;
}
