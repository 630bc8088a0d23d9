import { accountMessages } from '../../shared/usersAccount';
import { OnlineButton } from '../connection/OnlineButton';
import styles from './accountForm.module.css';
import { useSendProofLink } from './profileQueries';

/**
 * Says that the email address isn't proven yet, and resends the link.
 * @param props.because what requires a proven address
 */
export function UnverifiedEmailNotice({ userId, because }: { userId: string; because?: string }) {
  const send = useSendProofLink(userId);
  return (
    <section className={`panel ${styles['form']}`} aria-label="Confirm your email">
      <p className={styles['note']}>{because ?? accountMessages.emailUnproven}</p>
      <div className={styles['actions']}>
        <OnlineButton what="get a new link" variant="outline" isBusy={send.isPending} onClick={() => send.mutate()}>
          Resend link
        </OnlineButton>
      </div>
    </section>
  );
}
