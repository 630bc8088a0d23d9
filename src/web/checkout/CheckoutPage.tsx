import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { cartSays } from '../../shared/cart';
import { connectionSays } from '../../shared/connection';
import { intentSays } from '../../shared/intent';
import { userSays } from '../../shared/users';
import { userQuery } from '../account/queries';
import { EmptyCart } from '../cart/EmptyCart';
import { cartQuery } from '../cart/queries';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import noticeStyles from '../connection/ConnectionNotice.module.css';
import { ReadFailure } from '../connection/ReadFailure';
import { useIsOnline } from '../server/reachability';
import { ActionButton } from '../ui/ActionButton';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import { PageHead } from '../ui/PageHead';
import { AddressChoice } from './AddressChoice';
import { CartSummary } from './CartSummary';
import styles from './CheckoutPage.module.css';
import { DeliveryChoice } from './DeliveryChoice';
import { OrderWhenOnline } from './OrderWhenOnline';
import { useProviderScript } from './providerScript';
import { type Placing, usePlacing } from './usePlacing';

const route = getRouteApi('/shop/signed-in/checkout');
const waitId = 'checkout-waits';
const toCart = { to: '/cart', label: 'Cart' };

export function CheckoutPage() {
  const { user } = route.useRouteContext();
  const cartRead = useQuery(cartQuery(user.id));
  const placing = usePlacing(user.id, cartRead.data);
  const isOnline = useIsOnline();
  useProviderScript();
  const { cart, total } = placing;
  const mayWait = useMayWait(user.id);
  if (cart?.cartItems.length === 0 && !placing.isProcessing) return <EmptyCart />;
  return (
    <div className="wrap">
      <PageHead title="Checkout" />
      <output className="sr-only">{total.said}</output>
      <div className={styles['split']}>
        <ShippingAddress userId={user.id} placing={placing} />
        <CartSummary
          placing={placing}
          isWaiting={cartRead.isPending}
          waitId={isOnline ? undefined : waitId}
          asOf={isOnline ? undefined : cartRead.dataUpdatedAt}
          {...(!isOnline &&
            mayWait && {
              instead: <OrderWhenOnline userId={user.id} placing={placing} className={styles['wide'] ?? ''} />,
            })}
        >
          {cartRead.error && !cart && isOnline && (
            <ReadFailure read={cartRead} failure={cartSays.noData} back={toCart} />
          )}
        </CartSummary>
      </div>
    </div>
  );
}

/** Whether the order may wait for a connection: there is a saved address on this device. */
const useMayWait = (userId: string) => (useQuery(userQuery(userId)).data?.addresses.length ?? 0) > 0;

function PrepareNotice() {
  return (
    <p id={waitId} className={noticeStyles['notice']}>
      <Icon name="cloudOff" />
      <span>
        <b>{intentSays.canPrepare}</b>
        {intentSays.howItWaits}
      </span>
    </p>
  );
}

/** Where the order goes, and the button that places it. */
function ShippingAddress({ userId, placing }: { userId: string; placing: Placing }) {
  const account = useQuery(userQuery(userId));
  const isOnline = useIsOnline();
  const { address, choose, isProcessing, total } = placing;
  const mayWait = useMayWait(userId);
  return (
    <section className={styles['address']} aria-label="Shipping Address">
      <Heading as="h2" textStyle="h3">
        Shipping Address
      </Heading>
      {!isOnline && mayWait && <PrepareNotice />}
      {!isOnline && !mayWait && (
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
      {total.isSummed && <DeliveryChoice total={total} isFixed={isProcessing} />}
      {!total.isSummed && <PlaceBelow userId={userId} placing={placing} isOnline={isOnline} />}
    </section>
  );
}

/** Where there is no total but the Subtotal, the button stands below the address. */
function PlaceBelow({ userId, placing, isOnline }: { userId: string; placing: Placing; isOnline: boolean }) {
  const { address, submit, isProcessing, said } = placing;
  const mayWait = useMayWait(userId);
  if (!isOnline && mayWait)
    return <OrderWhenOnline userId={userId} placing={placing} className={styles['place'] ?? ''} />;
  return (
    <>
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
    </>
  );
}
