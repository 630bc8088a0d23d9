import { useMutation } from '@tanstack/react-query';
import { type ListItem, listMessages, type ProductList } from '../../../shared/lists';
import { fieldsOf } from '../core/changeLists';
import { outbox } from '../../outbox/outbox';
import { newKey } from '../../server/keys';
import { toastWithUndo } from '../../connection/toastWithUndo';

/** Removes a product from a list immediately. Undo restores it with its par and count. */
export function useRemoveItem(userId: string, list: ProductList) {
  const { mutate } = useMutation({
    mutationFn: async ({ item, productName }: { item: ListItem; productName: string }) => {
      const input = { userId, listId: list.id, listName: list.name, productId: item.productId, productName };
      const key = newKey();
      const answer = await outbox.send('removeListItem', input, { key, wasSent: false });
      toastWithUndo(answer, listMessages.removeListItem.success, () => {
        void outbox
          .undo(key, input)
          .then(
            async (isBack) => isBack || void (await outbox.send('setListItem', { ...input, fields: fieldsOf(item) })),
          )
          .catch(() => undefined); // the page shows a rejected change
      });
    },
    meta: { failure: listMessages.removeListItem.failure },
  });
  return (item: ListItem, productName: string) => mutate({ item, productName });
}
