import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { installSays } from '../../shared/install';
import { useStore } from '../browser/store';
import { installOffer } from './installOffer';
import { Button } from '../ui/Button';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import styles from './InstallCard.module.css';
import { installMoment } from './installMoment';
import { isPaying } from './navigation';

/**
 * Offers to install the shop: from the second visit on or after the first added item, never while paying, and not for 30
 * days after 'Not now'. It is a region: it takes no focus and is in nobody's way.
 * Rule: docs/rules/offline.md, Installing
 */
export function InstallCard() {
  const offer = useStore(installOffer, undefined);
  const isMoment = useStore(installMoment, false);
  const isInTheWay = useLocation({ select: ({ pathname }) => isPaying(pathname) });
  const [isByHand] = useState(canOnlyInstallByHand);
  if (!isMoment || isInTheWay || (!offer && !isByHand)) return null;
  const install = async () => {
    installOffer.use();
    const answer = await offer?.prompt();
    if (answer?.outcome === 'dismissed') installMoment.refuse();
  };
  return (
    <section className={styles['card']} aria-labelledby="install-title">
      <div className={styles['about']}>
        <span className={styles['icon']} aria-hidden="true">
          &amp;
        </span>
        <div>
          <Heading as="h2" id="install-title" textStyle="h3">
            {installSays.title}
          </Heading>
          <p className={styles['line']}>{offer ? installSays.offer : installSays.byHand}</p>
        </div>
      </div>
      <div className={styles['answers']}>
        {offer && (
          <Button className={styles['yes']} onClick={() => void install()}>
            <Icon name="download" /> {installSays.install}
          </Button>
        )}
        <Button variant="ghost" onClick={installMoment.refuse}>
          {installSays.notNow}
        </Button>
      </div>
    </section>
  );
}

/** On an iPhone or iPad, where Safari makes no offer: there `standalone` is known, and false in the browser. */
const canOnlyInstallByHand = () => (navigator as { standalone?: boolean }).standalone === false;
