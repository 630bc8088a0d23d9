import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { accountSays } from '../../shared/account';
import { secondFactorProofForm } from '../../shared/authForms';
import { OnlineButton } from '../offline/OnlineButton';
import { PasswordField, TextField } from '../ui/FormField';
import { useFieldErrors } from '../ui/fieldErrors';
import { focusHeading } from '../ui/focusHeading';
import styles from './accountForm.module.css';
import { useDisableSecondFactor } from './profileQueries';

/** Switches the second factor off, by the password and a code. */
export function DisableSecondFactor({ userId }: { userId: string }) {
  const disable = useDisableSecondFactor(userId);
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(secondFactorProofForm),
    defaultValues: { password: '', otp: '' },
  });
  const { errors } = formState;
  useFieldErrors(disable.error, setError);
  useEffect(() => () => void focusHeading(), []); // the form that had the focus goes once it is off
  const submit = handleSubmit((form) => disable.mutate(form));
  return (
    <form className={`panel ${styles['form']}`} noValidate onSubmit={(event) => void submit(event)}>
      <p>{accountSays.secondFactorDisable}</p>
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <TextField
        label="Code"
        autoComplete="one-time-code"
        hint={accountSays.codeHint}
        error={errors.otp?.message}
        {...register('otp')}
      />
      <div className={styles['actions']}>
        <OnlineButton what="Two-step login" type="submit" colorPalette="error" isBusy={disable.isPending}>
          Switch Off
        </OnlineButton>
      </div>
    </form>
  );
}
