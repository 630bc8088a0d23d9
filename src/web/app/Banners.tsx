import { OfflineBanner } from '../connection/OfflineBanner';
import { useSession } from '../server/session';
import { ReadyBanner } from '../waiting/ReadyBanner';

/** Under the header: of the connection, and of an order that waits on this device. */
export function Banners() {
  const userId = useSession()?.id;
  return (
    <>
      <OfflineBanner />
      {userId !== undefined && <ReadyBanner userId={userId} />}
    </>
  );
}
