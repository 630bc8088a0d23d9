import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { copyName, listPageMessages } from '../../../shared/listPages';
import { listLimits, listMessages, type ProductList } from '../../../shared/lists';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { NavMenu } from '../../ui/NavMenu';
import { createListOf } from '../core/changeLists';
import { ListNameDialog } from '../core/ListNameDialog';
import { useListChange } from '../core/queries';
import { useDeleteList } from './useDeleteList';

export interface ListMenuProps extends MenuButtonProps {
  userId: string;
  list: ProductList;
  lists: readonly ProductList[];
  /** Called before the list is deleted, to move the focus to an element that stays. */
  onDelete: () => void;
}

/** The actions on a list as a whole. */
export function ListMenu({ userId, list, lists, onDelete, ...button }: ListMenuProps) {
  const [isNaming, setNaming] = useState(false);
  const navigate = useNavigate();
  const rename = useListChange('renameList');
  const remove = useDeleteList(userId);
  const duplicate = useDuplicate(userId);
  const params = { listId: list.id };
  const startCount = () => void navigate({ to: '/customer/lists/$listId/count', params, hash: 'new' });
  const print = () => void navigate({ to: '/customer/lists/$listId', params, hash: 'count-sheet' });
  const ofItems = [
    { label: listPageMessages.newCount, icon: 'history', onSelect: startCount },
    { label: listPageMessages.printSheet, icon: 'printer', isApart: true, onSelect: print },
  ] as const;
  const copy = {
    label: listPageMessages.duplicate,
    icon: 'duplicate',
    onSelect: () => duplicate(list, copyName(list.name, lists)),
  } as const;
  return (
    <>
      <NavMenu
        title={list.name}
        end="end"
        entries={[
          ...(list.items.length > 0 ? ofItems : []),
          { label: 'Rename', icon: 'edit', onSelect: () => setNaming(true) },
          ...(lists.length < listLimits.lists ? [copy] : []),
          {
            label: 'Delete',
            icon: 'trash',
            isDangerous: true,
            onSelect: () => {
              onDelete();
              remove(list);
            },
          },
        ]}
        {...button}
      />
      {isNaming && (
        <ListNameDialog
          title={`Rename ${list.name}`}
          action="Save"
          name={list.name}
          others={lists.filter(({ id }) => id !== list.id)}
          onName={(name) => rename.mutate({ userId, listId: list.id, name, listName: list.name })}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

/** Creates a list with the same products and pars, not counted, and opens it. */
function useDuplicate(userId: string) {
  const navigate = useNavigate();
  const { mutate } = useMutation({
    mutationFn: ({ list, name }: { list: ProductList; name: string }) => createListOf(userId, name, list.items),
    onSuccess: ({ listId }) => void navigate({ to: '/customer/lists/$listId', params: { listId } }),
    meta: { failure: listMessages.createList.failure },
  });
  return (list: ProductList, name: string) => mutate({ list, name });
}
