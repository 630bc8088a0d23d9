import { type QueryClient, useQuery, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isCartChange } from '../../shared/cart';
import { cartMessages } from '../../shared/cartMessages';
import {
  changesOf,
  type Intent,
  type IntentChange,
  intentKeptMs,
  intentMessages,
  withPricesKept,
} from '../../shared/intent';
import { offlineQuote } from '../../shared/offlineQuote';
import { findDraft, saveDraft } from '../users/drafts';
import { EmptyCart } from '../cart/EmptyCart';
import { cartQuery } from '../cart/queries';
import { useCart } from '../cart/useCart';
import { RefusedChanges } from '../cart/RefusedChanges';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import { ReadFailure } from '../connection/ReadFailure';
import { outbox, useRefused, useWaiting } from '../outbox/outbox';
import { useIsOnline } from '../server/reachability';
import { UnpaidOrder } from '../unpaid/UnpaidOrder';
import { Button } from '../ui/Button';
import { Heading } from '../ui/Heading';
import { PageHead } from '../ui/PageHead';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Waiting } from '../ui/Waiting';
import { nearTime } from '../ui/localTime';
import { acceptListed, dropIntent, intentQuery, useGiveUp } from '../waiting/intent';
import { Recipient } from './AddressChoice';
import { CartSummary } from './CartSummary';
import styles from './ReadyOrderPage.module.css';
import { SettleList } from './SettleList';
import { type Placing, usePlacing } from './usePlacing';
import type { Wish } from './useTotal';

const route = getRouteApi('/shop/signed-in/checkout/waiting');
const waitId = 'order-waits';

/** The order that waited for a connection: what has changed since, and the button that places it. */
export function ReadyOrderPage() {
  const { user } = route.useRouteContext();
  const { data: intent, isPending } = useQuery(intentQuery(user.id));
  const [last, setLast] = useState<Intent>(); // after it is placed, its page stays until the browser leaves
  if (intent && intent !== last) setLast(intent);
  const shown = intent ?? last;
  if (shown) return <Ready key={shown.id} intent={shown} isGone={!intent} />;
  return isPending ? (
    <div className="wrap">
      <PageHead title={intentMessages.titleBefore} />
      <Waiting what="your order">
        <SkeletonRows rows={3} />
      </Waiting>
    </div>
  ) : (
    <Gone userId={user.id} />
  );
}

function Gone({ userId }: { userId: string }) {
  const isCartEmpty = useCart(userId)?.cartItems.length === 0;
  return (
    <div className="wrap">
      <PageHead title={intentMessages.titleBefore} />
      <UnpaidOrder userId={userId} isCartEmpty={isCartEmpty} />
      <p>
        {intentMessages.gone}{' '}
        <Link to="/cart" className={`link ${styles['on']}`}>
          Cart
        </Link>
      </p>
    </div>
  );
}

/** @param props.isGone it was placed, or given up in another tab */
function Ready({ intent, isGone }: { intent: Intent; isGone: boolean }) {
  const navigate = useNavigate();
  const giveUp = useGiveUp();
  const isOnline = useIsOnline();
  const { cartRead, placing, changes } = useReady(intent);
  const isRefused = useRefused(intent.userId).some(isCartChange);
  const mustSettle = changes?.some(({ settleAt }) => settleAt !== undefined) ?? false;
  const isUnsettled = isRefused || mustSettle;
  if (placing.cart?.cartItems.length === 0 && !placing.isProcessing && !isRefused) return <EmptyCart />;
  if (isGone && !placing.isProcessing) return <Gone userId={intent.userId} />;
  const cancel = async () => {
    await giveUp(intent);
    await navigate({ to: '/cart' });
  };
  return (
    <div className="wrap">
      <PageHead title={intentMessages.title} />
      <p className={styles['lead']}>{intentMessages.nothingYet}</p>
      <output className="sr-only">{placing.total.announcement}</output>
      <div className={styles['split']}>
        <div className={styles['column']}>
          {!isOnline && <ConnectionNotice what="check out" id={waitId} />}
          <RefusedChanges lines={[]} userId={intent.userId} />
          {((isOnline && !cartRead.isError) || changes) && (
            <WhatChanged intent={intent} changes={changes} isUnsettled={isUnsettled} />
          )}
          <ShippingAddress intent={intent} chosen={placing.total.chosen} />
        </div>
        <CartSummary
          placing={placing}
          isWaiting={cartRead.isPending}
          waitId={isUnsettled || !isOnline || !changes ? waitId : undefined}
          foot={
            <>
              <Button variant="ghost" colorPalette="error" className={styles['cancel']} onClick={() => void cancel()}>
                {intentMessages.cancel}
              </Button>
              <p className={styles['small']}>{intentMessages.keptUntil(nearTime(intent.madeAt + intentKeptMs))}</p>
            </>
          }
        >
          {cartRead.error && !changes && isOnline && <ReadFailure read={cartRead} failure={cartMessages.noData} />}
        </CartSummary>
      </div>
    </div>
  );
}

/** The order, and what differs once the server has returned both cart and total since the page was opened. */
function useReady(intent: Intent) {
  const { userId } = intent;
  const cache = useQueryClient();
  const cartRead = useQuery({ ...cartQuery(userId), refetchOnMount: 'always' });
  const cart = useCart(userId);
  const kept = cart && withPricesKept(userId, cart);
  const accept = () => acceptListed(intent, kept?.lines ?? []);
  const onPlaced = (client: QueryClient) => dropIntent(client, { userId });
  const { address, wish } = intent; // the address as shown, even if the account cannot be read
  const initial = { address, wish };
  const placing = withTotal(usePlacing(userId, cartRead.data, { initial, cart: kept?.cart, accept, onPlaced }));
  const { total, isProcessing, problem } = placing;
  useEffect(() => {
    if (problem) void cache.invalidateQueries(cartQuery(userId)); // after a rejection, lists the differences again
  }, [problem, cache, userId]);
  const isRefetched = useIsRefetched(cartRead);
  const isUnsent = [...useWaiting(userId), ...useRefused(userId)].some(isCartChange);
  const isEmptied = isRefetched && !cartRead.isFetching && cart?.cartItems.length === 0 && !isProcessing && !isUnsent;
  useEffect(() => {
    // another device ordered the cart, or all its lines were removed
    if (isEmptied) void dropEmptied(cache, intent).catch(() => undefined); // it expires within a day anyway
  }, [isEmptied, cache, intent]);
  const { quote } = total;
  const isFresh = isRefetched && total.isCurrent;
  if (!cart || !quote || !(isFresh || isProcessing)) return { cartRead, placing, changes: undefined };
  const method = quote.deliveryMethods?.find(({ id }) => id === quote.deliveryMethodId);
  const delivery = method ?? null;
  return { cartRead, placing, changes: changesOf(intent, cart, { delivery, total: quote.total }) };
}

/** @returns whether the data was fetched since the page was opened and since the connection came back */
function useIsRefetched({ dataUpdatedAt, isFetchedAfterMount }: UseQueryResult): boolean {
  const isOnline = useIsOnline();
  const [offlineAt, setOfflineAt] = useState<number>();
  if (!isOnline && offlineAt !== dataUpdatedAt) setOfflineAt(dataUpdatedAt); // this data was already on the device
  return isOnline && isFetchedAfterMount && dataUpdatedAt !== offlineAt;
}

/** Drops the order unless cart changes are waiting on this device or were rejected. */
async function dropEmptied(cache: QueryClient, intent: Intent): Promise<void> {
  const { userId } = intent;
  await outbox.flush();
  if ([...outbox.waiting(userId), ...outbox.refused(userId)].some(isCartChange)) return;
  if (cache.getQueryData(cartQuery(userId).queryKey)?.cartItems.length === 0) await dropIntent(cache, intent);
}

/** If the owner set no delivery, tax or codes, the Subtotal is the total and no quote is requested. */
function withTotal(placing: Placing): Placing {
  const { cart, total } = placing;
  if (total.hasTotal) return placing;
  const quote = offlineQuote(cart?.cartItems ?? [], total.terms, { state: undefined, methodId: undefined });
  return { ...placing, total: { ...total, quote, isCurrent: true } };
}

/** Passes the discount code applied here (or its removal) on to the checkout's draft; the rest of the draft stays. */
function passToCheckout(userId: string, chosen: Wish): void {
  const { code: _before, ...rest } = findDraft(userId, 'wish') ?? {};
  saveDraft(userId, 'wish', { ...rest, ...chosen });
}

/** @param props.chosen the discount code and the other choices */
function ShippingAddress({ intent: { userId, address }, chosen }: { intent: Intent; chosen: Wish | undefined }) {
  return (
    <>
      <Heading as="h2" textStyle="h3">
        Shipping Address
      </Heading>
      <div className={`panel ${styles['address']}`}>
        <Recipient address={address} />
        <Link
          to="/checkout"
          className={styles['change'] ?? ''}
          aria-label="Change address"
          onClick={() => chosen && passToCheckout(userId, chosen)}
        >
          Change
        </Link>
      </div>
    </>
  );
}

interface ChangedProps {
  intent: Intent;
  changes: IntentChange[] | undefined;
  isUnsettled: boolean;
}

function WhatChanged({ intent: { userId, asOf }, changes, isUnsettled }: ChangedProps) {
  const since = nearTime(asOf);
  if (!changes)
    return (
      <Waiting what="what changed">
        <SkeletonRows rows={2} />
      </Waiting>
    );
  if (changes.length === 0)
    return isUnsettled ? <p id={waitId}>{intentMessages.settleFirst}</p> : <p>{intentMessages.unchanged(since)}</p>;
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
      <SettleList userId={userId} changes={changes} />
      <p className={styles['small']} {...(isUnsettled && { id: waitId })}>
        {isUnsettled ? intentMessages.settleFirst : intentMessages.accepts}
      </p>
    </section>
  );
}
