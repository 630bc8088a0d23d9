import type { ListChange } from '../../../shared/lists';
import type { Entry, Rejection } from '../../outbox/entry';

/** A list change that the server rejected. It stays on the device until it is put back or discarded. */
export interface RefusedListChange {
  key: string;
  change: ListChange;
  listId: string;
  /** The names at the time of the change; empty if unknown. */
  listName: string;
  productId?: string;
  productName: string;
  /** The error's message and code. */
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
