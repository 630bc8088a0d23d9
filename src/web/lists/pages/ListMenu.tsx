import { useState } from 'react';
import type { ProductList } from '../../../shared/lists';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { NavMenu } from '../../ui/NavMenu';
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
  const rename = useListChange('renameList');
  const remove = useDeleteList(userId);
  return (
    <>
      <NavMenu
        title={list.name}
        end="end"
        entries={[
          { label: 'Rename', icon: 'edit', isApart: true, onSelect: () => setNaming(true) },
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
