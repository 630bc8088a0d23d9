/**
 * What this process itself changed in the catalog, told to whoever keeps something made from it, right after the commit.
 * Other processes hear of it from the database (channel 'catalog', migration 0001), and so does this one again a moment
 * later: being told twice only drops what is kept once more. Several apps in one process (tests) hear each other for the
 * same reason. A listener stays for the life of the process.
 */
import { afterCommit, type Tx } from '../db/transact';

/** 'facts': anything may be different, or a product's id: only its quantity is. The channel 'catalog' says the same. */
export type CatalogChange = string;
export const factsChange: CatalogChange = 'facts';

type Listener = (change: CatalogChange) => void;
const listeners = new Set<Listener>();

export function onCatalogChange(listener: Listener): void {
  listeners.add(listener);
}

/** Call it with every change of quantity, inside its transaction. */
export function catalogChanged(tx: Tx, productIds: readonly string[]): void {
  afterCommit(tx, () => productIds.forEach(tell));
}

/** Call it when a category or a product's facts were written, inside that transaction. */
export function factsChanged(tx: Tx): void {
  afterCommit(tx, () => tell(factsChange));
}

function tell(change: CatalogChange): void {
  for (const listener of listeners) listener(change);
}
