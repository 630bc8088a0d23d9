import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { cartMessages } from '../../shared/cartMessages';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import type { Intent } from '../../shared/intent';
import { userMessages } from '../../shared/users';
import { userQuery } from '../users/queries';
import { EmptyCart } from '../cart/EmptyCart';
import { cartQuery } from '../cart/queries';
import { ReadFailure } from '../connection/ReadFailure';
import { useIsOnline } from '../server/reachability';
import { useAfterLoad } from '../ui/afterLoad';
import { Heading } from '../ui/Heading';
import { lazyPart } from '../ui/lazyPart';
import { PageHead } from '../ui/PageHead';
import { AddressChoice } from './AddressChoice';
import { CartSummary } from './CartSummary';
import styles from './CheckoutPage.module.css';
import { DeliveryChoice } from './DeliveryChoice';
import { type PartsOffline, waitId } from './offlineParts';
import { addressId } from './PlaceOrder';
import { useProviderScript } from './providerScript';
import { type Placing, usePlacing } from './usePlacing';

const route = getRouteApi('/shop/signed-in/checkout');
const toCart = { to: '/cart', label: 'Cart' };
const loadOffline = () => import('./withoutConnection');
const ignore = () => undefined; // a leftover expires within a day anyway

/**
 * The page of an order that waited for a connection. It is loaded through a later part of this page, whose parts it
 * reuses: a separate page would split this one into more chunks.
 */
export const WaitingOrderPage = lazyPart<'ReadyOrderPage', object>(loadOffline, 'ReadyOrderPage');

export function CheckoutPage() {
  const { user } = route.useRouteContext();
  const cartRead = useQuery(cartQuery(user.id));
  const account = useQuery(userQuery(user.id));
  const offline = useAfterLoad(loadOffline);
  const placing = usePlacing(user.id, cartRead.data, {
    account: account.data,
    isAccountPending: account.isPending,
    initial: useWaitingOrder(user.id, offline),
    isForm: true,
    onPlaced: (cache) => loadOffline().then(({ dropIntent }) => dropIntent(cache, { userId: user.id }), ignore),
  });
  const isOnline = useIsOnline();
  useProviderScript();
  const { cart, isProcessing } = placing;
  const offlineProps = { userId: user.id, placing, account, asOf: cartRead.dataUpdatedAt };
  const parts = (!isOnline && !isProcessing && offline?.withoutConnection(offlineProps)) || { placing };
  const isEmpty = cart?.cartItems.length === 0;
  const unpaid = !isProcessing && offline?.leftUnpaid(user.id, isEmpty);
  if (isEmpty && !isProcessing)
    return (
      <>
        <EmptyCart />
        <div className="wrap">{unpaid}</div>
      </>
    );
  return (
    <div className="wrap">
      <PageHead title="Checkout" />
      <output className="sr-only">{parts.placing.total.announcement}</output>
      <div className={styles['split']}>
        <div>
          {unpaid}
          <ShippingAddress
            userId={user.id}
            account={account}
            isOnline={isOnline}
            placing={parts.placing}
            parts={parts}
          />
        </div>
        <CartSummary
          placing={parts.placing}
          isWaiting={cartRead.isPending}
          waitId={isOnline ? undefined : waitId}
          {...parts.summary}
        >
          {parts.asOf}
          {cartRead.error && !cart && isOnline && (
            <ReadFailure read={cartRead} failure={cartMessages.noData} back={toCart} />
          )}
        </CartSummary>
      </div>
    </div>
  );
}

const noIntentQuery: UseQueryOptions<Intent | null, Error, Intent | null, string[]> = {
  queryKey: ['unread'],
  queryFn: () => null,
  enabled: false,
};

/**
 * The waiting order, once it is read from the device. Its choices stay selected here when it ends while the page is
 * open, for example because it is being placed.
 */
function useWaitingOrder(userId: string, part: Awaited<ReturnType<typeof loadOffline>> | undefined) {
  const { data } = useQuery(part?.intentQuery(userId) ?? noIntentQuery);
  const [last, setLast] = useState<Intent>();
  if (data && data !== last) setLast(data);
  return data ?? last;
}

interface AddressProps {
  userId: string;
  account: UseQueryResult<Schema<'User'>>;
  placing: Placing;
  isOnline: boolean;
  parts: Partial<PartsOffline>;
}

/** The shipping address, its delivery, and where the receipt goes. */
function ShippingAddress({ userId, account, placing, isOnline, parts }: AddressProps) {
  const { choice, address, choose, isProcessing, total } = placing;
  return (
    <section className={styles['address']} id={addressId} aria-label="Shipping Address">
      {parts.notice}
      <Heading as="h2" textStyle="h3">
        Shipping Address
      </Heading>
      {parts.from}
      {account.error && !account.data && isOnline && (
        <ReadFailure read={account} failure={userMessages.getUser.failure} back={toCart} />
      )}
      {(account.data || isOnline) && (
        <AddressChoice
          userId={userId}
          account={account.data}
          chosen={choice}
          isFixed={isProcessing}
          onChoose={choose}
        />
      )}
      {total.hasTotal && <DeliveryChoice total={total} hasAddress={Boolean(address)} isFixed={isProcessing} />}
      {account.data && (
        <>
          <Heading as="h2" textStyle="h3" className={styles['receipt']}>
            Receipt
          </Heading>
          <p className="muted">{messages.receipt(account.data.email)}</p>
        </>
      )}
    </section>
  );
}
