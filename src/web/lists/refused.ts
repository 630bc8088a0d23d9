import type { ListChange } from '../../shared/lists';
import type { Entry, Rejection } from '../outbox/entry';

/** A change of a list that the server refused: it stays on the device until it is put back or discarded. */
export interface RefusedListChange {
  key: string;
  change: ListChange;
  listId: string;
  /** As they were called when the change was made; empty where nobody said. */
  listName: string;
  productId?: string;
  productName: string;
  /** The sentence of the refusal, and its code. */
  reason: Rejection;
}

export function refusedChange(entry: Entry & ListChange): RefusedListChange {
  const { key, reason = { code: 'unknown', message: '' }, operation, input } = entry;
  const change = { operation, input } as ListChange;
  const [listId, listName] = 'list' in input ? [input.list.id, input.list.name] : [input.listId, input.listName ?? ''];
  const ofProduct = 'productId' in input ? { productId: input.productId } : {};
  const productName = ('productName' in input && input.productName) || '';
  return { key, change, listId, listName, ...ofProduct, productName, reason };
}
