/** Changes of lists: each goes through the outbox, with or without a connection. */
import type { Schema } from '../../../shared/contract';
import type { ListChange, ListChanges, ListItem, ListItemFields, ProductList } from '../../../shared/lists';
import { outbox } from '../../outbox/outbox';
import { isRejection } from '../../server/errors';
import type { RefusedListChange } from './rejectedChanges';

/** A product of a list, with the names to show if either is gone. */
export interface ListedProduct {
  list: Pick<ProductList, 'id' | 'name'>;
  product: { id: string; name: string };
}

/**
 * Sets a par or a count; a count gets its time here. Shows no message: the list's page shows what is waiting or
 * rejected.
 * @returns as soon as the device has stored it or the server has answered
 * @throws ApiError if the server rejected it; the change stays, to be put back or discarded
 */
export function setListItem(userId: string, { list, product }: ListedProduct, fields: ListItemFields) {
  const isCount = typeof fields.onHand === 'number' && fields.countedAt === undefined;
  const timed = isCount ? { ...fields, countedAt: new Date().toISOString() } : fields;
  return outbox.send('setListItem', { userId, ...idsOf(list, product), fields: timed });
}

const idsOf = (list: ListedProduct['list'], product: ListedProduct['product']) => ({
  listId: list.id,
  productId: product.id,
  listName: list.name,
  productName: product.name,
});

/** Adds a product to a list. Without `par`, a product already on the list keeps its par. */
export const addToList = (userId: string, listed: ListedProduct, par?: number) =>
  setListItem(userId, listed, { add: true, ...(par !== undefined && { par }) });

/** @returns the fields that restore an item, for undoing a change that was already sent */
export function fieldsOf(item: ListItem): ListItemFields {
  const { productId: _, par, onHand, countedAt, ...others } = item;
  others satisfies Record<string, never>; // fails to compile if a new field is missing here
  const count = onHand !== null && { onHand, ...(countedAt !== null && { countedAt }) };
  return { add: true, ...(par !== null && { par }), ...count };
}

interface ListedItem {
  productId: string;
  productName?: string;
  par: number | null;
}

/**
 * Creates a list with these products and pars.
 * @returns the list's id once every part is stored or done, and whether some of it is waiting
 * @throws ApiError of the first rejected part; later parts are still stored
 */
export async function createListOf(userId: string, name: string, items: readonly ListedItem[]) {
  const list = { id: crypto.randomUUID(), name };
  const parts = [
    outbox.send('createList', { userId, list }),
    ...items.map(({ productId, productName = '', par }) =>
      addToList(userId, { list, product: { id: productId, name: productName } }, par ?? undefined),
    ),
  ];
  const sent = await Promise.allSettled(parts);
  for (const each of sent) if (each.status === 'rejected') throw each.reason;
  const later = sent.flatMap((each) => (each.status === 'fulfilled' && each.value.queued ? [each.value] : []));
  return { queued: false, ...later[0], listId: list.id };
}

/** Products with quantities: a cart, or an order. */
export interface Listed {
  cartItems: readonly Pick<Schema<'CartItem'>, 'productId' | 'productName' | 'quantity'>[];
}

/** Creates a list from the cart, with each product's quantity as its par. */
export const saveCartAsList = (userId: string, name: string, { cartItems }: Listed) =>
  createListOf(
    userId,
    name,
    cartItems.map(({ quantity, ...item }) => ({ ...item, par: quantity })),
  );

/**
 * Puts back changes that were rejected because their product or list was gone. The new changes are stored before the
 * rejected ones leave the device. Rule: docs/rules/kitchen.md, Refused counts
 * @param refused changes of one list; all changes of a missing list must be passed together
 * @param listName the new name of a missing list, instead of its last one
 */
export async function putBack(refused: readonly RefusedListChange[], listName?: string): Promise<void> {
  const [first] = refused;
  if (!first) return;
  const isListGone = refused.some(({ reason }) => reason.code === 'list_not_found');
  if (isListGone || first.change.operation === 'createList') await recreateList(first, listName);
  for (const each of refused) {
    const sending = resend(each.change, { isListGone, listName });
    if (sending) await stored(sending);
    await outbox.discard(each.key);
  }
}

interface OfList {
  /** The list was recreated, with its name. */
  isListGone: boolean;
  listName: string | undefined;
}
type Resend<Input> = (input: Input, list: OfList) => Promise<unknown> | undefined;

/** How each change is repeated; undefined if nothing is left to do. */
const resenders: { readonly [Name in keyof ListChanges]: Resend<ListChanges[Name]> } = {
  createList: () => undefined,
  renameList: (input, { isListGone, listName }) =>
    isListGone ? undefined : outbox.send('renameList', { ...input, name: listName ?? input.name }),
  deleteList: () => undefined,
  orderList: (input) => outbox.send('orderList', input),
  setListItem: (input) => outbox.send('setListItem', { ...input, fields: { ...input.fields, add: true } }),
  removeListItem: () => undefined,
};

function resend({ operation, input }: ListChange, list: OfList): Promise<unknown> | undefined {
  return (resenders[operation] as Resend<ListChange['input']>)(input, list);
}

/** Recreates the list under its id, so that other devices' pending changes still find it. */
function recreateList({ change, listId, listName }: RefusedListChange, newName?: string) {
  const name = newName ?? (change.operation === 'createList' ? change.input.list.name : listName);
  return stored(outbox.send('createList', { userId: change.input.userId, list: { id: listId, name } }));
}

/** A rejected change stays in the outbox, and the page shows it. @throws if the device could not store the change */
const stored = (sending: Promise<unknown>): Promise<unknown> =>
  sending.catch((error: unknown) => {
    if (!isRejection(error) || error.status === 401) throw error;
  });
