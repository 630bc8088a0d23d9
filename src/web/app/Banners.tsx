import { useCart } from '../cart/queries';
import { OfflineBanner } from '../connection/OfflineBanner';
import { AwaySheet } from '../kitchen/AwaySheet';
import { useSession } from '../server/session';
import { ReadyBanner } from '../waiting/ReadyBanner';

/**
 * Under the header: of the connection, and of an order that waits on this device; and over the page, once, what changed
 * while the device was away.
 */
export function Banners() {
  const userId = useSession()?.id;
  return (
    <>
      <OfflineBanner />
      {userId !== undefined && <OfOrder userId={userId} />}
      <AwaySheet />
    </>
  );
}

function OfOrder({ userId }: { userId: string }) {
  return <ReadyBanner userId={userId} isEmptied={useCart(userId)?.cartItems.length === 0} />;
}
