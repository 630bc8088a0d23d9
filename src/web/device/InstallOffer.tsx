import { useState } from 'react';
import { installMessages } from '../../shared/install';
import { useStore } from '../browser/store';
import { useIsOnline } from '../server/reachability';
import { Button } from '../ui/Button';
import { focusHeading } from '../ui/focusHeading';
import styles from './InstallOffer.module.css';
import { declineInstall, hasDeclinedInstall, installPrompt } from './installPrompt';

/**
 * Offers to install the shop, as a part of the page: on the thank-you page and on My lists. It is absent offline, where
 * the shop can't be installed, and after "Not now".
 * Rule: docs/rules/offline.md, Installing
 */
export function InstallOffer() {
  const event = useStore(installPrompt, undefined);
  const isOnline = useIsOnline();
  const [isWanted, setWanted] = useState(() => !hasDeclinedInstall());
  if (!isWanted || !isOnline || !(event ?? needsManualInstall())) return null;
  const decline = () => {
    focusHeading(); // before the focused button is removed
    declineInstall();
    setWanted(false);
  };
  const install = async () => {
    focusHeading();
    installPrompt.set(undefined); // the browser's prompt works only once
    const answer = await event?.prompt();
    if (answer?.outcome === 'dismissed') decline();
  };
  return (
    <section className={`panel ${styles['offer']}`} aria-labelledby="install-title">
      <span className={styles['icon']} aria-hidden="true">
        &amp;
      </span>
      <div>
        <h2 id="install-title" className={styles['title']}>
          {installMessages.title(navigator.maxTouchPoints > 0)}
        </h2>
        <p className="muted">{event ? installMessages.offer : manualHint()}</p>
        {!event && <p className="muted">{installMessages.loginAgain}</p>}
      </div>
      <div className={styles['answers']}>
        {event && (
          <Button variant="outline" onClick={() => void install()}>
            {installMessages.install}
          </Button>
        )}
        <Button variant="ghost" onClick={decline}>
          {installMessages.notNow}
        </Button>
      </div>
    </section>
  );
}

/** Safari fires no install event. */
const needsManualInstall = () => navigator.standalone === false;

/** iPads report themselves as Macs, but no Mac has a touch screen. */
const manualHint = () => (navigator.maxTouchPoints > 0 ? installMessages.toHomeScreen : installMessages.toDock);
