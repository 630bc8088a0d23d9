import { accountMessages } from '../../shared/account';
import { OnlineButton } from '../connection/OnlineButton';
import styles from './accountForm.module.css';
import { useSendProofLink } from './profileQueries';

/**
 * Says that the address is not proven yet, and mails the link once more.
 * @param props.because what has to wait for it
 */
export function UnprovenNotice({ userId, because }: { userId: string; because?: string }) {
  const send = useSendProofLink(userId);
  return (
    <section className={`panel ${styles['form']}`} aria-label="Confirm your email address">
      <p className={styles['note']}>{because ?? accountMessages.emailUnproven}</p>
      <div className={styles['actions']}>
        <OnlineButton what="A new link" variant="outline" isBusy={send.isPending} onClick={() => send.mutate()}>
          Send Link Again
        </OnlineButton>
      </div>
    </section>
  );
}
