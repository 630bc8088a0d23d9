import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { listPageMessages } from '../../../shared/listPages';
import { listLimits } from '../../../shared/lists';
import { askToPersist } from '../../device/persist';
import { ActionButton } from '../../ui/ActionButton';
import type { Listed } from './changeLists';
import { listsQuery } from './listsQuery';
import { LaterIcon } from '../../ui/LaterIcon';
import { useLists, useSaveCartAsList } from './queries';
import { lazyPart } from '../../ui/lazyPart';

const ListNameDialog = lazyPart(() => import('./ListNameDialog'), 'ListNameDialog');

interface Props {
  userId: string;
  cart: Listed;
  /** It is an order's items. */
  isOrder?: boolean;
}

/** 'Save cart as list': asks for a name, then opens the list. */
export function SaveCart({ userId, cart, isOrder = false }: Props) {
  const label = isOrder ? listPageMessages.saveOrder : listPageMessages.saveCart;
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const lists = useLists(userId);
  const { isPending } = useQuery(listsQuery(userId));
  const save = useSaveCartAsList(userId);
  const saveAs = (name: string) => {
    void askToPersist();
    save.mutate(
      { name, cart },
      { onSuccess: ({ listId }) => void navigate({ to: '/customer/lists/$listId', params: { listId } }) },
    );
  };
  const isFull = lists !== undefined && lists.length >= listLimits.lists;
  return (
    <>
      <ActionButton variant="ghost" isOff={isFull || isPending} isBusy={save.isPending} onClick={() => setNaming(true)}>
        <LaterIcon name="list" />
        {label}
      </ActionButton>
      {isNaming && (
        <Suspense>
          <ListNameDialog
            title={label}
            action="Save"
            others={lists ?? []}
            onName={saveAs}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </>
  );
}
