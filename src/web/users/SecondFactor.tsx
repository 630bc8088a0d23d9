import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accountMessages } from '../../shared/usersAccount';
import { secondFactorProofForm } from '../../shared/authForms';
import { authMessages } from '../../shared/authMessages';
import { OnlineButton } from '../connection/OnlineButton';
import { ReadFailure } from '../connection/ReadFailure';
import { useFieldErrors } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { Button } from '../ui/Button';
import { focusHeading } from '../ui/focusHeading';
import { PasswordField, TextField } from '../ui/FormField';
import { Waiting } from '../ui/Waiting';
import styles from './accountForm.module.css';
import { useDisableSecondFactor, useNewRecoveryCodes } from './profileQueries';
import { userQuery } from './queries';
import { SetUpSecondFactor } from './SecondFactorSetup';
import { UnverifiedEmailNotice } from './UnverifiedEmailNotice';

/** Turns the second factor on or off; also shown to staff who must set one up before anything else. */
export function SecondFactor({ userId, wayBack }: { userId: string; wayBack: string }) {
  const isDuty = useLocation({ select: ({ state }) => state.isDuty ?? false });
  const read = useQuery(userQuery(userId));
  const { data: account, error } = read;
  const [codes, setCodes] = useState<string[]>();
  const isOn = account?.hasSecondFactor ?? false;
  const isUnproven = account?.isEmailProven === false && !isOn;
  return (
    <>
      {codes && <RecoveryCodes codes={codes} wayBack={wayBack} />}
      {!codes && isDuty && !isOn && <p className={styles['note']}>{accountMessages.mustSetUpSecondFactor}</p>}
      {!codes && isUnproven && <UnverifiedEmailNotice userId={userId} because={authMessages.emailNotProven} />}
      {!codes && account && !isOn && !isUnproven && <SetUpSecondFactor userId={userId} onCodes={setCodes} />}
      {!codes && isOn && <ChangeSecondFactor userId={userId} onCodes={setCodes} />}
      {!account && error && <ReadFailure read={read} failure={accountMessages.profileFailed} />}
      {!account && !error && (
        <Waiting what="your profile">
          <span className={`skeleton ${styles['waiting']}`} />
        </Waiting>
      )}
    </>
  );
}

function RecoveryCodes({ codes, wayBack }: { codes: string[]; wayBack: string }) {
  const router = useRouter();
  useEffect(() => void focusHeading(), []); // the previously focused form is gone
  return (
    <section className={`panel ${styles['form']}`} aria-label="Recovery codes">
      <p>{accountMessages.recoveryCodes}</p>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <Button onClick={() => void router.navigate({ href: wayBack })}>I've saved them</Button>
      </div>
    </section>
  );
}

/** Replaces the recovery codes, or turns the second factor off: both with the password and a code. */
function ChangeSecondFactor({ userId, onCodes }: { userId: string; onCodes: (codes: string[]) => void }) {
  const disable = useDisableSecondFactor(userId);
  const renew = useNewRecoveryCodes(onCodes);
  const { field, handleSubmit, setError } = useShopForm(secondFactorProofForm, {
    defaultValues: { password: '', otp: '' },
    mode: 'onSubmit',
  });
  useFieldErrors(disable.error ?? renew.error, setError);
  useEffect(() => () => void focusHeading(), []); // when it is off, the focused form is gone
  const isBusy = disable.isPending || renew.isPending;
  const submit = handleSubmit((form) => isBusy || renew.mutate(form, { onSettled: () => disable.reset() }));
  const turnOff = handleSubmit((form) => isBusy || disable.mutate(form, { onSettled: () => renew.reset() }));
  return (
    <form className={`panel ${styles['form']}`} noValidate onSubmit={(event) => void submit(event)}>
      <p>{accountMessages.secondFactorChange}</p>
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <TextField label="Code" autoComplete="one-time-code" hint={accountMessages.codeHint} {...field('otp')} />
      <div className={styles['actions']}>
        <OnlineButton what="get new recovery codes" type="submit" isBusy={renew.isPending}>
          Get new codes
        </OnlineButton>
        <OnlineButton
          what="turn off two-step login"
          colorPalette="error"
          variant="outline"
          isBusy={disable.isPending}
          onClick={() => void turnOff()}
        >
          Turn off
        </OnlineButton>
      </div>
    </form>
  );
}
