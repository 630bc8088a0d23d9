import { useCart } from '../cart/useCart';
import { OfflineBanner } from '../connection/OfflineBanner';
import { AbsenceSheet } from '../lists/pages/AbsenceSheet';
import { useSession } from '../server/session';
import { ReadyBanner } from '../waiting/ReadyBanner';

/**
 * Banners below the header about the connection and about an order waiting on this device, and a one-time sheet with
 * what changed while the device was away.
 */
export function Banners() {
  const userId = useSession()?.id;
  return (
    <>
      <OfflineBanner />
      {userId !== undefined && <OrderBanner userId={userId} />}
      <AbsenceSheet />
    </>
  );
}

function OrderBanner({ userId }: { userId: string }) {
  return <ReadyBanner userId={userId} isEmptied={useCart(userId)?.cartItems.length === 0} />;
}
