import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { cartSays } from '../../shared/cart';
import { payAfterMs, says, whyNotPlaceable } from '../../shared/checkout';
import { offlineSays } from '../../shared/offline';
import { userSays } from '../../shared/users';
import { findDraft } from '../account/drafts';
import { userQuery } from '../account/queries';
import { sentenceOf } from '../api/queryClient';
import { EmptyCart } from '../cart/EmptyCart';
import { cartQuery, useCart } from '../cart/queries';
import { ConnectionNotice } from '../offline/ConnectionNotice';
import { useIsOnline } from '../offline/useIsOnline';
import { ActionButton } from '../ui/ActionButton';
import { FailureNotice } from '../ui/FailureNotice';
import { Heading } from '../ui/Heading';
import { PageHead } from '../ui/PageHead';
import { toast } from '../ui/toast';
import { AddressChoice, type ChosenAddress } from './AddressChoice';
import { CartSummary } from './CartSummary';
import styles from './CheckoutPage.module.css';
import { useProviderScript } from './providerScript';
import { usePlaceOrder } from './queries';
import { useLeaveFor } from './useLeaveFor';

const route = getRouteApi('/shop/signed-in/checkout');
const waitId = 'checkout-waits';

export function CheckoutPage() {
  const { user } = route.useRouteContext();
  const account = useQuery(userQuery(user.id));
  const cart = useCart(user.id);
  const cartRead = useQuery(cartQuery(user.id));
  const place = usePlaceOrder();
  const isSending = useRef(false); // known before the next render: Enter and a click in one breath are one order
  const [address, setAddress] = useState<ChosenAddress | undefined>(() => findDraft(user.id, 'delivery'));
  const [wasIncomplete, setIncomplete] = useState(false); // when placing was last tried
  useProviderScript();
  useLeaveFor(place.data?.paymentUrl, payAfterMs, () => {
    isSending.current = false; // a reset mutation no longer says that it has ended
    place.reset();
  });

  const isOnline = useIsOnline();
  const isProcessing = place.isPending || Boolean(place.data?.paymentUrl);
  const choose = (chosen: ChosenAddress) => {
    setAddress(chosen);
    setIncomplete(false);
    place.reset();
  };
  const missing = whyNotPlaceable({ cartId: cart?.cartId, address, customer: address?.fullName, userId: user.id });
  const submit = () => {
    if (isProcessing || isSending.current) return;
    setIncomplete(missing !== undefined);
    if (missing) toast.error(missing);
    else if (cart && address) {
      const { fullName: customer, ...deliveryAddress } = address;
      isSending.current = true;
      const order = { customer, deliveryAddress };
      place.mutate({ userId: user.id, cartId: cart.cartId, order }, { onSettled: () => (isSending.current = false) });
    }
  };

  if (cart?.cartItems.length === 0 && !isProcessing) return <EmptyCart />;
  const said = (wasIncomplete && missing) || whyNotPaid(place);
  return (
    <div className="wrap">
      <PageHead title="Checkout" />
      <div className={styles['split']}>
        <section className={styles['address']} aria-label="Shipping Address">
          <Heading as="h2" textStyle="h3">
            Shipping Address
          </Heading>
          {!isOnline && (
            <ConnectionNotice what="Checkout" id={waitId} {...(account.data && { more: offlineSays.kept })} />
          )}
          {account.error && !account.data && isOnline && (
            <FailureNotice sentence={sentenceOf(account.error, userSays.getUser.failure)} onRetry={account.refetch} />
          )}
          {(account.data || isOnline) && (
            <AddressChoice
              userId={user.id}
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
        <CartSummary cart={cart}>
          {cartRead.error && !cart && isOnline && (
            <FailureNotice sentence={sentenceOf(cartRead.error, cartSays.noData)} onRetry={cartRead.refetch} />
          )}
        </CartSummary>
      </div>
    </div>
  );
}

function whyNotPaid({ error, data }: ReturnType<typeof usePlaceOrder>): string | undefined {
  if (error) return sentenceOf(error, says.failed);
  return data && !data.paymentUrl ? says.noUrlInAnswer : undefined;
}
