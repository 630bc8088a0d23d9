import { useMutation } from '@tanstack/react-query';
import { listMessages, type ProductList } from '../../../shared/lists';
import { fieldsOf } from '../core/changeLists';
import { outbox } from '../../outbox/outbox';
import { newKey } from '../../server/keys';
import { toastWithUndo } from '../../connection/toastWithUndo';

/** Deletes a list immediately. Undo restores everything that was on it. Rule: docs/rules/kitchen.md, Screens */
export function useDeleteList(userId: string) {
  const { mutate } = useMutation({
    mutationFn: async (list: ProductList) => {
      const key = newKey();
      const input = { userId, listId: list.id, listName: list.name };
      const answer = await outbox.send('deleteList', input, { key, wasSent: false });
      toastWithUndo(answer, listMessages.deleteList.success, () => {
        void outbox.undo(key, input).then((isBack) => isBack || restore(userId, list));
      });
    },
    meta: { failure: listMessages.deleteList.failure },
  });
  return (list: ProductList) => mutate(list);
}

/**
 * Restores the list under its id, with the counts and their times. Rejected changes stay in the outbox, and pages show
 * them.
 */
function restore(userId: string, { id, name, items }: ProductList): Promise<unknown> {
  const creating = outbox.send('createList', { userId, list: { id, name } });
  const addingItems = items.map((item) => {
    const { productId } = item;
    return outbox.send('setListItem', { userId, listId: id, listName: name, productId, fields: fieldsOf(item) });
  });
  return Promise.allSettled([creating, ...addingItems]);
}
