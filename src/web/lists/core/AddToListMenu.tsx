import { Suspense, useState } from 'react';
import { listPageMessages } from '../../../shared/listPages';
import { listLimits, type ProductList } from '../../../shared/lists';
import { askToPersist } from '../../device/persist';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { NavMenu } from '../../ui/NavMenu';
import { toast } from '../../ui/toast';
import { useAddToList, useCreateList, useLists } from './queries';
import { lazyPart } from '../../ui/lazyPart';

const ListNameDialog = lazyPart(() => import('./ListNameDialog'), 'ListNameDialog');

export interface AddToListMenuProps extends MenuButtonProps {
  userId: string;
  product: { id: string; name: string };
}

/** The user's lists and a new one: a press adds the product. */
export function AddToListMenu({ userId, product, ...button }: AddToListMenuProps) {
  const lists = useLists(userId) ?? [];
  const create = useCreateList(userId);
  const { mutate: add } = useAddToList(userId);
  const [isNaming, setNaming] = useState(false);
  const isOn = ({ items }: ProductList) => items.some(({ productId }) => productId === product.id);
  const addToNew = (name: string) => {
    void askToPersist();
    add({ list: { id: create(name), name }, product });
  };
  const newList = { label: listPageMessages.newList, icon: 'plus', onSelect: () => setNaming(true) } as const;
  return (
    <>
      <NavMenu
        title={listPageMessages.addToList}
        end="end"
        entries={[
          ...lists.map((list) => ({
            label: list.name,
            icon: isOn(list) ? ('check' as const) : ('list' as const),
            onSelect: () =>
              isOn(list) ? toast.info(listPageMessages.isOnList(product.name, list.name)) : add({ list, product }),
          })),
          ...(lists.length < listLimits.lists ? [newList] : []),
        ]}
        {...button}
      />
      {isNaming && (
        <Suspense>
          <ListNameDialog
            title={listPageMessages.newList}
            action="Create"
            others={lists}
            onName={addToNew}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </>
  );
}
