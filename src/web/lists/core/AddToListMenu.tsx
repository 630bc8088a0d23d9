import { Suspense, useState } from 'react';
import { listPageMessages } from '../../../shared/listPages';
import { listLimits, type ProductList } from '../../../shared/lists';
import { sizeInWords, type ProductSize } from '../../../shared/sizes';
import { askToPersist } from '../../device/persist';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { NavMenu } from '../../ui/NavMenu';
import { useShopFacts } from '../../ui/shopFacts';
import { toast } from '../../ui/toast';
import { useAddToList, useCreateList, useLists } from './queries';
import { lazyPart } from '../../ui/lazyPart';

const ListNameDialog = lazyPart(() => import('./ListNameDialog'), 'ListNameDialog');

export interface AddToListMenuProps extends MenuButtonProps {
  userId: string;
  /** `sizes` if it stands for several. */
  product: { id: string; name: string; sizes?: readonly ProductSize[] | undefined };
}

/** The user's lists and a new one: a press adds the product. Of several sizes one is chosen first. */
export function AddToListMenu({ userId, product: shown, ...button }: AddToListMenuProps) {
  const { units } = useShopFacts();
  const [size, setSize] = useState<ProductSize>();
  /** Stays after the menu has closed: a new list may still have to be named. */
  const [chosen, setChosen] = useState(shown);
  const product = shown.sizes ? chosen : shown;
  const lists = useLists(userId) ?? [];
  const create = useCreateList(userId);
  const { mutate: add } = useAddToList(userId);
  const [isNaming, setNaming] = useState(false);
  const isOn = ({ items }: ProductList) => items.some(({ productId }) => productId === product.id);
  const addToNew = (name: string) => {
    void askToPersist();
    add({ list: { id: create(name), name }, product });
  };
  const sizes = size ? undefined : shown.sizes;
  const choose = (each: ProductSize) => {
    setSize(each);
    setChosen(each);
  };
  const newList = { label: listPageMessages.newList, icon: 'plus', onSelect: () => setNaming(true) } as const;
  return (
    <>
      <NavMenu
        title={sizes ? listPageMessages.chooseSize : listPageMessages.addToList}
        end="end"
        entries={
          sizes?.map((each) => ({
            label: sizeInWords(each, units),
            icon: 'next' as const,
            isStep: true,
            onSelect: () => choose(each),
          })) ?? [
            ...lists.map((list) => ({
              label: list.name,
              icon: isOn(list) ? ('check' as const) : ('list' as const),
              onSelect: () =>
                isOn(list) ? toast.info(listPageMessages.isOnList(product.name, list.name)) : add({ list, product }),
            })),
            ...(lists.length < listLimits.lists ? [newList] : []),
          ]
        }
        onClosed={() => setSize(undefined)}
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
