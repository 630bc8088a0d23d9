import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { cartSays } from '../../shared/cart';
import { changesOf, type Intent, intentKeptMs, intentSays, withPricesKept } from '../../shared/intent';
import { subtotalCents } from '../../shared/cart';
import { fromCents } from '../../shared/money';
import { EmptyCart } from '../cart/EmptyCart';
import { cartQuery, useCart } from '../cart/queries';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import { ReadFailure } from '../connection/ReadFailure';
import { savedTime } from '../connection/savedTime';
import { useIsOnline } from '../server/reachability';
import { Button } from '../ui/Button';
import { Heading } from '../ui/Heading';
import { PageHead } from '../ui/PageHead';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Waiting } from '../ui/Waiting';
import { AddressLines } from './AddressChoice';
import { CartSummary } from './CartSummary';
import styles from './ReadyOrderPage.module.css';
import { SettleList } from './SettleList';
import { usePlacing } from './usePlacing';
import { intentQuery, useGiveUp } from '../waiting/intent';

const route = getRouteApi('/shop/signed-in/checkout/waiting');
const waitId = 'order-waits';

/** The order that waited for a connection: what became of it, and the button that orders. */
export function ReadyOrderPage() {
  const { user } = route.useRouteContext();
  const { data: intent, isPending } = useQuery(intentQuery(user.id));
  const [first, setFirst] = useState<Intent>(); // it is placed, and its page stays until the browser leaves
  if (intent && intent.id !== first?.id) setFirst(intent);
  const shown = intent ?? (intent === undefined ? first : undefined);
  if (shown) return <Ready key={shown.id} intent={shown} />;
  return (
    <div className="wrap">
      <PageHead title="Your order" />
      {isPending ? (
        <Waiting what="your order">
          <SkeletonRows rows={3} />
        </Waiting>
      ) : (
        <p>
          {intentSays.gone}{' '}
          <Link to="/cart" className="link">
            Cart
          </Link>
        </p>
      )}
    </div>
  );
}

function Ready({ intent }: { intent: Intent }) {
  const { userId } = intent;
  const navigate = useNavigate();
  const cartRead = useQuery({ ...cartQuery(userId), refetchOnMount: 'always' });
  const placing = usePlacing(userId, cartRead.data, intent);
  const giveUp = useGiveUp();
  const isOnline = useIsOnline();
  const { cart, isFresh, changes } = useChanges(intent, placing, cartRead.isFetchedAfterMount);
  const isUnsettled = changes?.some(({ settleAt }) => settleAt !== undefined) ?? false;
  if (cart?.cartItems.length === 0 && !placing.isProcessing) return <EmptyCart />;
  const cancel = async () => {
    await giveUp(intent);
    await navigate({ to: '/cart' });
  };
  return (
    <div className="wrap">
      <PageHead title={intentSays.title} />
      <p className={styles['lead']}>{intentSays.nothingYet}</p>
      <output className="sr-only">{placing.total.said}</output>
      <div className={styles['split']}>
        <div className={styles['column']}>
          {!isOnline && <ConnectionNotice what="Checkout" id={waitId} />}
          <WhatChanged intent={intent} changes={isFresh ? changes : undefined} isUnsettled={isUnsettled} />
          <Heading as="h2" textStyle="h3">
            Shipping Address
          </Heading>
          <div className={`panel ${styles['address']}`}>
            <AddressLines address={intent.address} />
            <Link to="/checkout" className="link">
              Change
            </Link>
          </div>
        </div>
        <CartSummary
          placing={placing}
          isWaiting={cartRead.isPending}
          waitId={isUnsettled || !isOnline ? waitId : undefined}
          isHeld={!isFresh}
          isAlways
          foot={
            <>
              <Button variant="ghost" colorPalette="error" onClick={() => void cancel()}>
                {intentSays.cancel}
              </Button>
              <p className={styles['small']}>Kept until {savedTime(intent.madeAt + intentKeptMs)}.</p>
            </>
          }
        >
          {cartRead.error && !cart && isOnline && <ReadFailure read={cartRead} failure={cartSays.noData} />}
        </CartSummary>
      </div>
    </div>
  );
}

/** What differs, once the shop has said both cart and total since the page was opened. */
function useChanges(intent: Intent, { total, isProcessing }: ReturnType<typeof usePlacing>, isRead: boolean) {
  const cart = useCart(intent.userId);
  const quote = total.isSummed ? total.quote : undefined;
  const isFresh = isRead && (!total.isSummed || total.isCurrent);
  if (!cart) return { cart, isFresh: false, changes: undefined };
  const method = quote?.deliveryMethods?.find(({ id }) => id === quote.deliveryMethodId);
  const changes = changesOf(intent, cart, {
    delivery: method ? { name: method.name, price: method.price } : null,
    total: quote ? quote.total : fromCents(subtotalCents(withPricesKept(intent.userId, cart).cart.cartItems)),
  });
  return { cart, isFresh: isFresh || isProcessing, changes };
}

interface ChangedProps {
  intent: Intent;
  changes: ReturnType<typeof changesOf> | undefined;
  isUnsettled: boolean;
}

function WhatChanged({ intent, changes, isUnsettled }: ChangedProps) {
  const since = savedTime(intent.asOf);
  if (!changes)
    return (
      <Waiting what="what changed">
        <SkeletonRows rows={2} />
      </Waiting>
    );
  if (changes.length === 0) return <p>{intentSays.unchanged(since)}</p>;
  return (
    <section aria-labelledby="what-changed" className={styles['column']}>
      <div className={styles['head']}>
        <Heading as="h2" textStyle="h3" id="what-changed">
          What changed
        </Heading>
        <span className={styles['small']}>
          Since {since}, {changes.length === 1 ? '1 change' : `${changes.length} changes`}
        </span>
      </div>
      <SettleList userId={intent.userId} changes={changes} />
      <p className={styles['small']} {...(isUnsettled && { id: waitId })}>
        {isUnsettled ? intentSays.settleFirst : intentSays.accepts}
      </p>
    </section>
  );
}
