import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { cartSays } from '../../shared/cart';
import { payAfterMs, says, whyNotPlaceable } from '../../shared/checkout';
import { connectionSays } from '../../shared/connection';
import { userSays } from '../../shared/users';
import { findDraft } from '../account/drafts';
import { userQuery } from '../account/queries';
import { EmptyCart } from '../cart/EmptyCart';
import { cartQuery, useCart } from '../cart/queries';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import { ReadFailure } from '../connection/ReadFailure';
import { sentenceOf } from '../server/errors';
import { useIsOnline } from '../server/reachability';
import { ActionButton } from '../ui/ActionButton';
import { Heading } from '../ui/Heading';
import { PageHead } from '../ui/PageHead';
import { toast } from '../ui/toast';
import { AddressChoice, type ChosenAddress } from './AddressChoice';
import { CartSummary } from './CartSummary';
import styles from './CheckoutPage.module.css';
import { useProviderScript } from './providerScript';
import { usePlaceOrder } from './queries';

const route = getRouteApi('/shop/signed-in/checkout');
const waitId = 'checkout-waits';
const toCart = { to: '/cart', label: 'Cart' };

export function CheckoutPage() {
  const { user } = route.useRouteContext();
  const cart = useCart(user.id);
  const cartRead = useQuery(cartQuery(user.id));
  const placing = usePlacing(user.id, cart?.cartId);
  const isOnline = useIsOnline();
  useProviderScript();
  if (cart?.cartItems.length === 0 && !placing.isProcessing) return <EmptyCart />;
  return (
    <div className="wrap">
      <PageHead title="Checkout" />
      <div className={styles['split']}>
        <ShippingAddress userId={user.id} placing={placing} />
        <CartSummary cart={cart} isWaiting={cartRead.isPending}>
          {cartRead.error && !cart && isOnline && (
            <ReadFailure read={cartRead} failure={cartSays.noData} back={toCart} />
          )}
        </CartSummary>
      </div>
    </div>
  );
}

/** Where the order goes, and the button that places it. */
function ShippingAddress({ userId, placing }: { userId: string; placing: ReturnType<typeof usePlacing> }) {
  const account = useQuery(userQuery(userId));
  const isOnline = useIsOnline();
  const { address, choose, submit, isProcessing, said } = placing;
  return (
    <section className={styles['address']} aria-label="Shipping Address">
      <Heading as="h2" textStyle="h3">
        Shipping Address
      </Heading>
      {!isOnline && (
        <ConnectionNotice what="Checkout" id={waitId} {...(account.data && { more: connectionSays.kept })} />
      )}
      {account.error && !account.data && isOnline && (
        <ReadFailure read={account} failure={userSays.getUser.failure} back={toCart} />
      )}
      {(account.data || isOnline) && (
        <AddressChoice
          userId={userId}
          account={account.data}
          chosen={address}
          isFixed={isProcessing}
          onChoose={choose}
        />
      )}
      {said && (
        <p className={styles['problem']} role="alert">
          {said}
        </p>
      )}
      <ActionButton
        size="lg"
        className={styles['place'] ?? ''}
        isBusy={isProcessing}
        busyText="Processing..."
        isOff={!address || !isOnline}
        aria-describedby={isOnline ? undefined : waitId}
        onClick={submit}
      >
        Place Order
      </ActionButton>
    </section>
  );
}

/** The address that was chosen, and the order that is placed with it. */
function usePlacing(userId: string, cartId: string | undefined) {
  const place = usePlaceOrder();
  const isSending = useRef(false); // set before the next render, so that Enter and a click at once place one order
  const [address, setAddress] = useState<ChosenAddress | undefined>(() => findDraft(userId, 'delivery'));
  const [wasIncomplete, setIncomplete] = useState(false); // when placing was last tried
  useLeaveFor(place.data?.paymentUrl, payAfterMs, () => {
    isSending.current = false; // a reset mutation no longer says that it has ended
    place.reset();
  });
  const isProcessing = place.isPending || Boolean(place.data?.paymentUrl);
  const missing = whyNotPlaceable({ cartId, address, customer: address?.fullName, userId });
  const choose = (chosen: ChosenAddress) => {
    setAddress(chosen);
    setIncomplete(false);
    place.reset();
  };
  const submit = () => {
    if (isProcessing || isSending.current) return;
    setIncomplete(missing !== undefined);
    if (missing) toast.error(missing);
    else if (cartId !== undefined && address) {
      const { fullName: customer, ...deliveryAddress } = address;
      isSending.current = true;
      const order = { customer, deliveryAddress };
      place.mutate({ userId, cartId, order }, { onSettled: () => (isSending.current = false) });
    }
  };
  return { address, choose, submit, isProcessing, said: (wasIncomplete && missing) || whyNotPaid(place) };
}

function whyNotPaid({ error, data }: ReturnType<typeof usePlaceOrder>): string | undefined {
  if (error) return sentenceOf(error, says.failed);
  return data && !data.paymentUrl ? says.noUrlInAnswer : undefined;
}

/**
 * Leaves the shop for another site's page after a moment.
 * @param url where to; nothing happens while it is undefined
 * @param onReturn called when the browser brings our page back as it was, with its buttons still busy
 */
function useLeaveFor(url: string | undefined, afterMs: number, onReturn: () => void): void {
  useEffect(() => {
    if (!url) return undefined;
    const timer = setTimeout(() => location.assign(url), afterMs);
    return () => clearTimeout(timer);
  }, [url, afterMs]);

  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && onReturn();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [onReturn]);
}
