import { useEffect } from 'react';
import { accountMessages } from '../../shared/usersAccount';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, usePlainForm } from '../forms/plainForm';
import { Button } from '../ui/Button';
import { TextField } from '../ui/FormField';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { loginRules } from './loginRules';
import type { useLogin } from './queries';

interface Props {
  login: ReturnType<typeof useLogin>;
  /** The first step's credentials: correct, but not sufficient. */
  credentials: Schema<'Credentials'>;
  onBack: () => void;
}

/** The login's second step: a code from the app, or a recovery code. Rule: docs/rules/accounts.md, Second factor */
export function SecondFactorStep({ login, credentials, onBack }: Props) {
  const { field, handleSubmit, setError, setFocus } = usePlainForm(loginRules('otp'), {
    defaultValues: { ...credentials, otp: '' },
    mode: 'onSubmit',
  });
  useFieldErrors(login.error, setError);
  useEffect(() => setFocus('otp'), [setFocus]); // the previously focused button is gone
  const submit = handleSubmit((form) => login.mutate(form));
  return (
    <AuthFrame title="Log in">
      <p className="muted">{authMessages.secondFactorRequired}</p>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Code" autoComplete="one-time-code" hint={accountMessages.codeHint} {...field('otp')} />
        <OnlineButton what="log in" type="submit" size="lg" isBusy={login.isPending}>
          Log in
        </OnlineButton>
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
      </form>
    </AuthFrame>
  );
}
