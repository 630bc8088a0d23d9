import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { listPageMessages } from '../../../shared/listPages';
import { listLimits, listErrorMessages, listMessages, type ProductList } from '../../../shared/lists';
import { AccountFrame } from '../../users/AccountFrame';
import { useCart } from '../../cart/useCart';
import { ReadFailure } from '../../connection/ReadFailure';
import { InstallOffer } from '../../device/InstallOffer';
import { askToPersist } from '../../device/persist';
import { ActionButton } from '../../ui/ActionButton';
import { Icon } from '../../ui/Icon';
import { Waiting } from '../../ui/Waiting';
import { ListCard } from './ListCard';
import styles from './ListsPage.module.css';
import { listsQuery } from '../core/listsQuery';
import { useCreateList, useLists, useRefusedListChanges } from '../core/queries';
import { RefusedLists } from './RefusedLists';
import { SaveCart } from '../core/SaveCart';
import { lazyPart } from '../../ui/lazyPart';

const ListNameDialog = lazyPart(() => import('../core/ListNameDialog'), 'ListNameDialog');

const route = getRouteApi('/shop/signed-in/customer/lists');
const fullId = 'lists-full';

/** Rule: docs/rules/kitchen.md, Screens */
export function ListsPage() {
  const { user } = route.useRouteContext();
  const read = useQuery(listsQuery(user.id));
  const lists = useLists(user.id);
  const knownIds = new Set(lists?.map(({ id }) => id));
  const refused = useRefusedListChanges(user.id).filter(({ listId }) => !knownIds.has(listId));
  return (
    <AccountFrame title={listPageMessages.title} action={lists && <Actions userId={user.id} lists={lists} />}>
      {!lists && read.error && <ReadFailure read={read} failure={listMessages.listLists.failure} />}
      {!lists && !read.error && <CardSkeletons />}
      {lists && <RefusedLists refused={refused} lists={lists} />}
      {lists?.length === 0 && (
        <div className={styles['none']}>
          <p className="text-lead">{listPageMessages.none}</p>
          <p className="muted">{listPageMessages.whatFor}</p>
        </div>
      )}
      {lists && lists.length > 0 && (
        <>
          <ul className={styles['lists']}>
            {lists.map((list) => (
              <ListCard key={list.id} userId={user.id} list={list} lists={lists} />
            ))}
          </ul>
          <StorageNote />
        </>
      )}
      {lists && <InstallOffer />}
    </AccountFrame>
  );
}

function Actions({ userId, lists }: { userId: string; lists: readonly ProductList[] }) {
  const [isNaming, setNaming] = useState(false);
  const createList = useCreateAndOpenList(userId, lists);
  const cart = useCart(userId);
  const isFull = lists.length >= listLimits.lists;
  return (
    <div className={styles['actions']}>
      {cart && cart.cartItems.length > 0 && <SaveCart userId={userId} cart={cart} />}
      <ActionButton isOff={isFull} aria-describedby={isFull ? fullId : undefined} onClick={() => setNaming(true)}>
        <Icon name="plus" />
        {listPageMessages.newList}
      </ActionButton>
      {isFull && (
        <p id={fullId} className={`muted ${styles['full']}`}>
          {listErrorMessages.too_many_lists}
        </p>
      )}
      {isNaming && (
        <Suspense>
          <ListNameDialog
            title={listPageMessages.newList}
            action="Create"
            others={lists}
            onName={createList}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Creates a list and opens it as soon as the device has it. */
function useCreateAndOpenList(userId: string, lists: readonly ProductList[]) {
  const navigate = useNavigate();
  const create = useCreateList(userId);
  const [createdId, setCreatedId] = useState<string>();
  const isHere = createdId !== undefined && lists.some(({ id }) => id === createdId);
  useEffect(() => {
    if (isHere) void navigate({ to: '/customer/lists/$listId', params: { listId: createdId } });
  }, [isHere, createdId, navigate]);
  return (name: string) => {
    void askToPersist();
    setCreatedId(create(name));
  };
}

/** Safari deletes the storage of a page in a tab, but not that of an installed app. */
function StorageNote() {
  const mayBeDeleted = navigator.standalone === false;
  return (
    <p className={`muted ${styles['kept']}`}>
      <Icon name={mayBeDeleted ? 'alert' : 'check'} />
      {mayBeDeleted ? listPageMessages.install : listPageMessages.onThisDevice}
    </p>
  );
}

function CardSkeletons() {
  return (
    <Waiting what="your lists" className={styles['lists']}>
      {[1, 2].map((card) => (
        <span key={card} className={`skeleton ${styles['waiting']}`} />
      ))}
    </Waiting>
  );
}
