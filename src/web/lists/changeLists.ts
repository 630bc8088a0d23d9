/** Changes of lists, as pages and other features make them: each goes through the outbox, with or without a connection. */
import type { Schema } from '../../shared/contract';
import type { ListChange, ListChanges, ListItem, ListItemFields, ProductList } from '../../shared/lists';
import { outbox } from '../outbox/outbox';
import { isRejection } from '../server/errors';
import type { RefusedListChange } from './refused';

/** A product of a list, with the names that are shown when either is gone. */
export interface ListedProduct {
  list: Pick<ProductList, 'id' | 'name'>;
  product: { id: string; name: string };
}

/**
 * Sets a par or a count. A count gets its time here. Says nothing: the sheet shows what waits, and what was refused.
 * @returns as soon as the device has it, or the server answered
 * @throws ApiError when the server refused; the change stays, to be put back or discarded
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

/** Puts a product on a list: `par` stays as it is where it is on it already and none is given. */
export const addToList = (userId: string, listed: ListedProduct, par?: number) =>
  setListItem(userId, listed, { add: true, ...(par !== undefined && { par }) });

/** @returns what makes an item again, as it was: for the Undo of what was sent already */
export function fieldsOf(item: ListItem): ListItemFields {
  const { productId: _, par, onHand, countedAt, ...others } = item;
  others satisfies Record<string, never>; // so that a new field is not forgotten here
  const count = onHand !== null && { onHand, ...(countedAt !== null && { countedAt }) };
  return { add: true, ...(par !== null && { par }), ...count };
}

/**
 * Makes a list of what is in the cart: each product with its quantity as par.
 * @returns the list's id, once all of it is kept or done, and whether some of it waits
 * @throws ApiError of the first part that the server refused; the parts after it are kept all the same
 */
export async function saveCartAsList(userId: string, name: string, cart: Schema<'Cart'>) {
  const list = { id: crypto.randomUUID(), name };
  const parts = [
    outbox.send('createList', { userId, list }),
    ...cart.cartItems.map(({ productId, productName, quantity }) =>
      addToList(userId, { list, product: { id: productId, name: productName } }, quantity),
    ),
  ];
  const sent = await Promise.allSettled(parts);
  for (const each of sent) if (each.status === 'rejected') throw each.reason;
  const later = sent.flatMap((each) => (each.status === 'fulfilled' && each.value.queued ? [each.value] : []));
  return { queued: false, ...later[0], listId: list.id };
}

/**
 * Puts back what was refused because its product or list was gone. The new changes are kept before the refused ones leave
 * the device. Rule: docs/rules/kitchen.md, Refused counts
 * @param refused of one list; those of a list that is gone must come together
 * @param listName for a list that is gone, in place of its last name
 */
export async function putBack(refused: readonly RefusedListChange[], listName?: string): Promise<void> {
  const [first] = refused;
  if (!first) return;
  const isListGone = refused.some(({ reason }) => reason.code === 'list_not_found');
  if (isListGone || first.change.operation === 'createList') await makeAgain(first, listName);
  for (const each of refused) {
    const sending = sendAgain(each.change, { isListGone, listName });
    if (sending) await kept(sending);
    await outbox.discard(each.key);
  }
}

interface OfList {
  /** It is made again by now, with its name. */
  isListGone: boolean;
  listName: string | undefined;
}
type SendAgain<Input> = (input: Input, list: OfList) => Promise<unknown> | undefined;

/** How each change is made once more; undefined where nothing is left to make. */
const again: { readonly [Name in keyof ListChanges]: SendAgain<ListChanges[Name]> } = {
  createList: () => undefined,
  renameList: (input, { isListGone, listName }) =>
    isListGone ? undefined : outbox.send('renameList', { ...input, name: listName ?? input.name }),
  deleteList: () => undefined,
  setListItem: (input) => outbox.send('setListItem', { ...input, fields: { ...input.fields, add: true } }),
  removeListItem: () => undefined,
};

function sendAgain({ operation, input }: ListChange, list: OfList): Promise<unknown> | undefined {
  return (again[operation] as SendAgain<ListChange['input']>)(input, list);
}

/** Under its id, so that what other devices still send about it finds it. */
function makeAgain({ change, listId, listName }: RefusedListChange, newName?: string) {
  const name = newName ?? (change.operation === 'createList' ? change.input.list.name : listName);
  return kept(outbox.send('createList', { userId: change.input.userId, list: { id: listId, name } }));
}

/** A refusal stays in the outbox, where the page shows it. @throws what kept the device from keeping the change */
const kept = (sending: Promise<unknown>): Promise<unknown> =>
  sending.catch((error: unknown) => {
    if (!isRejection(error) || error.status === 401) throw error;
  });
