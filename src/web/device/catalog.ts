import type { Schema } from '../../shared/contract';
import { aboutCatalog } from '../../shared/deviceNames';
import { byMaking } from '../../shared/productLists';
import { untilShown } from '../browser/shownPage';
import { db } from './db';

/**
 * The catalog as this device keeps it. It is read from IndexedDB once and then stays in memory until the feed changes it
 * (keepCatalog.ts), here or in another tab: a list of two thousand products is then cut in a millisecond.
 */
export interface DeviceCatalog {
  /** In the order of every list; archived ones too. */
  products: readonly Schema<'Product'>[];
  /** The first one made first. */
  categories: readonly Schema<'Category'>[];
  /** When the server last said that this is all of it, in ms. */
  asOf: number;
}

let reading: Promise<DeviceCatalog | undefined> | undefined;

/** @returns undefined until the whole catalog is here, and where the browser keeps nothing */
export function readCatalog(): Promise<DeviceCatalog | undefined> {
  reading ??= untilShown(readAll).catch(clearCatalog); // it may be here the next time, or the device less busy
  return reading;
}

/** Call it when something was written: the next reading goes to the database. */
export const clearCatalog = (): undefined => (reading = undefined);

async function readAll(): Promise<DeviceCatalog> {
  const { about, products: listed, categories: named } = await db.ready();
  const [saved, products, categories] = await db.transaction('r', about, listed, named, () =>
    Promise.all([about.get(aboutCatalog), listed.toArray(), named.toArray()]),
  );
  if (saved?.savedAt === undefined) throw new Error('the catalog is not all here');
  products.sort(byMaking);
  categories.sort(byMaking);
  return { products, categories, asOf: saved.savedAt };
}
