import type { Schema } from '../../shared/contract';
import { aboutCatalog } from '../../shared/deviceNames';
import { byCreation } from '../../shared/productLists';
import { retryWhenShown } from '../browser/shownPage';
import { db } from './db';
import { asProduct } from './storedProduct';

/**
 * The catalog saved on this device. It is read from IndexedDB once and stays in memory until the change feed updates it
 * (syncCatalog.ts), here or in another tab: that way a list of two thousand products is sliced in a millisecond.
 */
export interface DeviceCatalog {
  /** In display order; includes archived ones. */
  products: readonly Schema<'Product'>[];
  /** Oldest first. */
  categories: readonly Schema<'Category'>[];
  /** When the server last confirmed that it is complete, in ms. */
  asOf: number;
}

let reading: Promise<DeviceCatalog | undefined> | undefined;

/** @returns undefined until the whole catalog is saved, and where the browser stores nothing */
export function readCatalog(): Promise<DeviceCatalog | undefined> {
  reading ??= retryWhenShown(readAll).catch(clearCatalog); // the next call tries again
  return reading;
}

/** Call after a write: the next read goes to the database. */
export const clearCatalog = (): undefined => (reading = undefined);

async function readAll(): Promise<DeviceCatalog> {
  const { about, products: productTable, categories: categoryTable } = await db.ready();
  const [saved, rows, categories] = await db.transaction('r', about, productTable, categoryTable, () =>
    Promise.all([about.get(aboutCatalog), productTable.toArray(), categoryTable.toArray()]),
  );
  if (saved?.savedAt === undefined) throw new Error('the saved catalog is incomplete');
  const products = rows.map(asProduct).sort(byCreation);
  categories.sort(byCreation);
  return { products, categories, asOf: saved.savedAt };
}
