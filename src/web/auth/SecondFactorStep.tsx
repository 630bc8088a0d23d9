import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { accountSays } from '../../shared/account';
import { authSays } from '../../shared/auth';
import { secondFactorForm } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { OnlineButton } from '../offline/OnlineButton';
import { Button } from '../ui/Button';
import { TextField } from '../ui/FormField';
import { useFieldErrors } from '../ui/fieldErrors';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import type { useLogin } from './queries';

interface Props {
  login: ReturnType<typeof useLogin>;
  /** What the first step sent: right, and not enough. */
  credentials: Schema<'Credentials'>;
  onBack: () => void;
}

/** The login's second step: a code from the app, or a recovery code. Source: decisions §2 */
export function SecondFactorStep({ login, credentials, onBack }: Props) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm({
    resolver: zodResolver(secondFactorForm),
    defaultValues: { otp: '' },
  });
  useFieldErrors(login.error, setError);
  useEffect(() => setFocus('otp'), [setFocus]); // the button that had it is gone
  const submit = handleSubmit(({ otp }) => login.mutate({ ...credentials, otp }));
  return (
    <AuthFrame title="Login">
      <p className="muted">{authSays.secondFactorRequired}</p>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Code"
          autoComplete="one-time-code"
          hint={accountSays.codeHint}
          error={formState.errors.otp?.message}
          {...register('otp')}
        />
        <OnlineButton what="Login" type="submit" size="lg" isBusy={login.isPending}>
          Login
        </OnlineButton>
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
      </form>
    </AuthFrame>
  );
}
