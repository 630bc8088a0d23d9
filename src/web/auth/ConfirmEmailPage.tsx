import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accountMessages } from '../../shared/usersAccount';
import { authMessages } from '../../shared/authMessages';
import { OnlineButton } from '../connection/OnlineButton';
import { Button } from '../ui/Button';
import { FailureNotice } from '../ui/FailureNotice';
import { PageTitle } from '../ui/PageMeta';
import { AuthFrame } from './AuthFrame';
import { loginForLink, invalidLinkMessage, useProveEmail } from './emailQueries';
import styles from './form.module.css';
import { ClaimEmail } from './ClaimEmail';
import { useLinkToken } from './useLinkToken';

/**
 * Target of the links that prove an email address. Nothing happens without a click, because mail scanners open links.
 * Rule: docs/rules/accounts.md, Proven addresses
 */
export function ConfirmEmailPage() {
  const link = useLinkToken('/confirm-email');
  const [claimed, setClaimed] = useState<string>();
  if (link && (link.name === 'takeover' || link.token === claimed))
    return <ClaimEmail key={link.token} token={link.token} />;
  return (
    <AuthFrame title="Confirm your email">
      <PageTitle>Confirm your email</PageTitle>
      {link ? (
        <Confirm key={link.token} token={link.token} onClaim={() => setClaimed(link.token)} />
      ) : (
        <FailureNotice sentence={accountMessages.proofLinkMissing} />
      )}
      <p className="muted">
        <Link to="/customer/view/profile" className={`link ${styles['more']}`}>
          Go to your profile
        </Link>
      </p>
    </AuthFrame>
  );
}

/** @param props.onClaim shows the form that takes the account over */
function Confirm({ token, onClaim }: { token: string; onClaim: () => void }) {
  const prove = useProveEmail();
  const linkError = invalidLinkMessage(prove.error);
  const loginMessage = loginForLink(prove.error);
  if (prove.isSuccess) return <output className={styles['said']}>{authMessages.proveEmail.success}</output>;
  if (linkError) return <FailureNotice sentence={linkError} />;
  if (loginMessage) {
    return (
      <div className={styles['form']}>
        <FailureNotice sentence={loginMessage} />
        <p>{accountMessages.claimEmail}</p>
        <Button variant="outline" onClick={onClaim}>
          Claim this email
        </Button>
      </div>
    );
  }
  return (
    <div className={styles['form']}>
      <p>{accountMessages.confirmEmail}</p>
      <OnlineButton
        what="confirm your email"
        size="lg"
        isBusy={prove.isPending}
        onClick={() => prove.mutate({ token })}
      >
        Confirm
      </OnlineButton>
    </div>
  );
}
