import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { numberText } from '../../../shared/listPages';
import { listMessages, type ProductList } from '../../../shared/lists';
import { useSizeOf } from '../../catalog/core/useSizeOf';
import { ReadFailure } from '../../connection/ReadFailure';
import { PageTitle } from '../../ui/PageMeta';
import { Waiting } from '../../ui/Waiting';
import { LaterIcon } from '../../ui/LaterIcon';
import { Picture } from '../../ui/Picture';
import styles from './CountPage.module.css';
import { KitchenFrame } from './KitchenFrame';
import { listsQuery } from '../core/listsQuery';
import { NumberPad, Steps } from './NumberPad';
import { useProducts } from './products';
import { useList } from '../core/queries';
import { useCountKeys } from './useCountKeys';
import { type Counting, useCounting } from './useCounting';
import { useKeySound } from './useKeySound';
import { useSwipe } from './useSwipe';

const route = getRouteApi('/kitchen/customer/lists/$listId/count');

/** Counts a list, one product at a time. Rule: docs/rules/kitchen.md, Counting */
export function CountPage() {
  const { user } = route.useRouteContext();
  const { listId } = route.useParams();
  const navigate = useNavigate();
  const read = useQuery(listsQuery(user.id));
  const list = useList(user.id, listId);
  const isMissing = list === null || list?.items.length === 0;
  useEffect(() => {
    // the list's page explains that the list is missing or empty
    if (isMissing) void navigate({ to: '/customer/lists/$listId', params: { listId }, replace: true });
  }, [isMissing, listId, navigate]);
  if (list && !isMissing) return <Count key={listId} userId={user.id} list={list} />;
  return (
    <main className={styles['late']}>
      <h1 className="sr-only" tabIndex={-1}>
        Count
      </h1>
      {read.error ? <ReadFailure read={read} failure={listMessages.listLists.failure} /> : <CountSkeleton />}
    </main>
  );
}

function CountSkeleton() {
  return (
    <Waiting what="the list">
      <div className={`skeleton ${styles['waiting']}`} />
    </Waiting>
  );
}

function Count({ userId, list }: { userId: string; list: ProductList }) {
  const sizeOf = useSizeOf();
  const { products } = useProducts(list.items.map(({ productId }) => productId));
  const nameOf = (productId: string) => products.get(productId)?.name ?? 'Product';
  const counting = useCounting({ userId, list, nameOf });
  const { item, place, count } = counting;
  const product = products.get(item.productId);
  const sound = useKeySound();
  const swipe = useSwipe({ onLeft: counting.next, onRight: counting.previous });
  useCountKeys(counting);
  const about = [sizeOf(product), item.par !== null && `par ${item.par}`, counting.last];
  return (
    <KitchenFrame
      listId={list.id}
      title={list.name}
      place={`${place + 1} of ${count}`}
      progress={(place + 1) / count}
      isUnsaved={counting.isUnsaved}
      onClose={counting.save}
      foot={<Foot counting={counting} />}
    >
      <PageTitle>{`Count: ${list.name}`}</PageTitle>
      <div className={styles['count']}>
        <div className={styles['what']} {...swipe}>
          <div className={styles['picture']}>
            {product?.picture && (
              <Picture
                key={product.id}
                picture={product.picture}
                sizes="(min-width: 1024px) 624px, 100vw"
                isFirst
                isDecoration
              />
            )}
          </div>
          <div className={styles['words']}>
            <div>
              <h1 className={styles['name']} tabIndex={-1}>
                {nameOf(item.productId)}
              </h1>
              <p className={`tabular ${styles['about']}`}>{about.filter(Boolean).join(' · ')}</p>
            </div>
            {counting.undo && (
              <button type="button" className={styles['tool']} aria-label="Undo the last count" onClick={counting.undo}>
                <LaterIcon name="undo" size={26} />
              </button>
            )}
            <button
              type="button"
              className={styles['tool']}
              aria-label="Sound"
              aria-pressed={sound.isOn}
              onClick={sound.toggle}
            >
              <LaterIcon name={sound.isOn ? 'soundOn' : 'soundOff'} size={24} />
            </button>
          </div>
        </div>
        <Steps counting={counting} onPress={sound.play} />
        <NumberPad counting={counting} onPress={sound.play} />
      </div>
      <Announcement counting={counting} name={nameOf(item.productId)} />
    </KitchenFrame>
  );
}

/**
 * Announces each product once, then only the number being entered. Text that is merely visible beside it is not read
 * again.
 */
function Announcement({ counting, name }: { counting: Counting; name: string }) {
  const { shown, isEntered, place, count } = counting;
  const number = shown === numberText(null) ? 'not counted' : shown;
  return <output className="sr-only">{isEntered ? number : `${name}, ${number}, ${place + 1} of ${count}`}</output>;
}

function Foot({ counting }: { counting: Counting }) {
  const { place, isLast, previous, next } = counting;
  return (
    <>
      <button type="button" aria-disabled={place === 0 || undefined} onClick={previous}>
        <LaterIcon name="previous" size={24} />
        Previous
      </button>
      <button type="button" onClick={next}>
        {isLast ? 'Done' : 'Next'}
        <LaterIcon name={isLast ? 'check' : 'next'} size={24} />
      </button>
    </>
  );
}
