import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { installMessages } from '../../shared/install';
import { useStore } from '../browser/store';
import { useSession } from '../server/session';
import { installOffer } from './installOffer';
import { Button } from '../ui/Button';
import { Heading } from '../ui/Heading';
import { LaterIcon } from '../ui/LaterIcon';
import styles from './InstallCard.module.css';
import { installMoment } from './installMoment';
import { isPaying } from './navigation';

/**
 * Offers to install the shop: from the second visit on or after the first item added to the cart, never during payment,
 * and not for 30 days after "Not now". It is a region, so it never takes the focus.
 * Rule: docs/rules/offline.md, Installing
 */
export function InstallCard() {
  const offer = useStore(installOffer, undefined);
  const isSignedIn = useSession() !== null;
  const mayOffer = useStore(installMoment, false);
  const isPaymentPage = useLocation({ select: ({ pathname }) => isPaying(pathname) });
  const [needsManualInstall] = useState(() => navigator.standalone === false); // Safari fires no install event
  if (!mayOffer || isPaymentPage || (!offer && !needsManualInstall)) return null;
  const install = async () => {
    installOffer.use();
    const answer = await offer?.prompt();
    if (answer?.outcome === 'dismissed') installMoment.dismiss();
  };
  return (
    <section className={styles['card']} aria-labelledby="install-title">
      <div className={styles['about']}>
        <span className={styles['icon']} aria-hidden="true">
          &amp;
        </span>
        <div>
          <Heading as="h2" id="install-title" textStyle="h3">
            {installMessages.title}
          </Heading>
          <p className={styles['line']}>{offer ? installMessages.offer : manualHint()}</p>
          {!offer && isSignedIn && <p className={styles['line']}>{installMessages.loginAgain}</p>}
        </div>
      </div>
      <div className={styles['answers']}>
        {offer && (
          <Button className={styles['yes']} onClick={() => void install()}>
            <LaterIcon name="download" /> {installMessages.install}
          </Button>
        )}
        <Button variant="ghost" onClick={installMoment.dismiss}>
          {installMessages.notNow}
        </Button>
      </div>
    </section>
  );
}

/** iPads report themselves as Macs, but no Mac has a touch screen. */
const manualHint = () => (navigator.maxTouchPoints > 0 ? installMessages.toHomeScreen : installMessages.toDock);
