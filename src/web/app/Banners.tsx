import { Suspense } from 'react';
import { OfflineBanner } from '../connection/OfflineBanner';
import { useSession } from '../server/session';
import { lazyPart } from '../ui/lazyPart';

const ReadyBanner = lazyPart(() => import('../waiting/ReadyBanner'), 'ReadyBanner');

/** Under the header: of the connection, and of an order that waits on this device. */
export function Banners() {
  const userId = useSession()?.id;
  return (
    <>
      <OfflineBanner />
      {userId !== undefined && (
        <Suspense>
          <ReadyBanner userId={userId} />
        </Suspense>
      )}
    </>
  );
}
