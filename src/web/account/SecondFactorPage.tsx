import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accountSays } from '../../shared/account';
import { useHonestSentence } from '../offline/useHonestSentence';
import { Button } from '../ui/Button';
import { FailureNotice } from '../ui/FailureNotice';
import { focusHeading } from '../ui/focusHeading';
import { AccountFrame } from './AccountFrame';
import styles from './accountForm.module.css';
import { profilePath } from './profileQueries';
import { userQuery } from './queries';
import { DisableSecondFactor } from './SecondFactorOff';
import { SetUpSecondFactor } from './SecondFactorSetup';

const route = getRouteApi('/shop/signed-in/customer/edit/second-factor');

/** Switches the second factor on or off; also where staff are sent who need one before anything else. */
export function SecondFactorPage() {
  const { user } = route.useRouteContext();
  const { redirect } = route.useSearch();
  const isDuty = useLocation({ select: ({ state }) => state.isDuty ?? false });
  const { data: account, error, refetch } = useQuery(userQuery(user.id));
  const failure = useHonestSentence(accountSays.profileFailed);
  const [codes, setCodes] = useState<string[]>();
  const isOn = account?.hasSecondFactor ?? false;
  return (
    <AccountFrame title="Two-step Login">
      {codes && <RecoveryCodes codes={codes} wayBack={redirect ?? profilePath} />}
      {!codes && isDuty && !isOn && <p className={styles['note']}>{accountSays.mustSetUpSecondFactor}</p>}
      {!codes && account && !isOn && <SetUpSecondFactor userId={user.id} onCodes={setCodes} />}
      {!codes && isOn && <DisableSecondFactor userId={user.id} />}
      {!account && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!account && !error && <output className={`skeleton ${styles['waiting']}`} aria-label="Loading your profile" />}
    </AccountFrame>
  );
}

function RecoveryCodes({ codes, wayBack }: { codes: string[]; wayBack: string }) {
  const router = useRouter();
  useEffect(() => void focusHeading(), []); // the form that had the focus is gone
  return (
    <section className={`panel ${styles['form']}`} aria-label="Recovery codes">
      <p>{accountSays.recoveryCodes}</p>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <Button onClick={() => void router.navigate({ href: wayBack })}>I have kept them</Button>
      </div>
    </section>
  );
}
