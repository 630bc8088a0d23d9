import { useLocation } from '@tanstack/react-router';
import { installMessages } from '../../shared/install';
import { newVersion, useIsVersionReady } from '../device/serviceWorker';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { LaterIcon } from '../ui/LaterIcon';
import toastStyles from '../ui/Toaster.module.css';
import { isPaying } from './navigation';
import styles from './UpdateToast.module.css';

/**
 * Offers a new version of the app above the other toasts until the user answers.
 * Rule: docs/rules/offline.md, New versions
 */
export function UpdateToast() {
  const isReady = useIsVersionReady();
  const isPaymentPage = useLocation({ select: ({ pathname }) => isPaying(pathname) });
  if (!isReady || isPaymentPage) return null;
  return (
    <div className={`${toastStyles['toast']} ${styles['update']}`}>
      <LaterIcon name="sync" />
      <output>{installMessages.newVersion}</output>
      <button type="button" className={toastStyles['close']} aria-label="Close" onClick={newVersion.postpone}>
        <Icon name="cross" />
      </button>
      <div className={styles['answers']}>
        <Button size="sm" onClick={() => void newVersion.activate()}>
          {installMessages.update}
        </Button>
        <Button size="sm" variant="ghost" onClick={newVersion.postpone}>
          {installMessages.later}
        </Button>
      </div>
    </div>
  );
}
