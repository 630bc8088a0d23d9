import { Link } from '@tanstack/react-router';
import { accountSays } from '../../shared/account';
import { authSays } from '../../shared/authSays';
import { OnlineButton } from '../connection/OnlineButton';
import { FailureNotice } from '../ui/FailureNotice';
import { PageTitle } from '../ui/PageMeta';
import { AuthFrame } from './AuthFrame';
import { refusedLink, useProveEmail } from './emailQueries';
import styles from './form.module.css';
import { TakeOver } from './TakeOver';
import { useLinkToken } from './useLinkToken';

/**
 * Where the links lead that show whose an email address is. It does nothing by itself: programs that look through mails
 * open links. Rule: docs/rules/accounts.md, Proven addresses
 */
export function ConfirmEmailPage() {
  const link = useLinkToken('/confirm-email');
  if (link?.name === 'takeover') return <TakeOver key={link.token} token={link.token} />;
  return (
    <AuthFrame title="Confirm Email">
      <PageTitle>Confirm Email</PageTitle>
      {link ? (
        <Confirm key={link.token} token={link.token} />
      ) : (
        <FailureNotice sentence={accountSays.proofLinkMissing} />
      )}
      <p className="muted">
        <Link to="/customer/view/profile" className={`link ${styles['more']}`}>
          Go to your profile
        </Link>
      </p>
    </AuthFrame>
  );
}

function Confirm({ token }: { token: string }) {
  const prove = useProveEmail();
  const refused = refusedLink(prove.error);
  if (prove.isSuccess) return <output className={styles['said']}>{authSays.proveEmail.success}</output>;
  if (refused) return <FailureNotice sentence={refused} />;
  return (
    <div className={styles['form']}>
      <p>{accountSays.confirmEmail}</p>
      <OnlineButton
        what="Confirming an email address"
        size="lg"
        isBusy={prove.isPending}
        onClick={() => prove.mutate({ token })}
      >
        Confirm
      </OnlineButton>
    </div>
  );
}
