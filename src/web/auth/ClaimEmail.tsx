import { Link } from '@tanstack/react-router';
import { accountMessages } from '../../shared/usersAccount';
import { takeoverForm } from '../../shared/authForms';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, withConfirmation } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { FailureNotice } from '../ui/FailureNotice';
import { PasswordField, TextField } from '../ui/FormField';
import { PageTitle } from '../ui/PageMeta';
import { AuthFrame } from './AuthFrame';
import { invalidLinkMessage, useTakeOver } from './emailQueries';
import styles from './form.module.css';

/**
 * Creates an account with an address that someone else registered.
 * Rule: docs/rules/accounts.md, Taking over an address
 */
export function ClaimEmail({ token }: { token: string }) {
  const takeOver = useTakeOver();
  const { field, handleSubmit, formState, setError } = useShopForm(takeoverForm, {
    defaultValues: { fullName: '', password: '', confirmPassword: '' },
  });
  useFieldErrors(takeOver.error, setError);
  const submit = handleSubmit((form) => takeOver.mutate({ token, ...form }));
  const linkError = invalidLinkMessage(takeOver.error);
  return (
    <AuthFrame title="Claim your email">
      <PageTitle>Claim your email</PageTitle>
      {linkError && <FailureNotice sentence={linkError} />}
      {!linkError && (
        <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
          <p>{accountMessages.takeOver}</p>
          <TextField label="Full Name" autoComplete="name" {...field('fullName')} />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            hint={accountMessages.passwordRule}
            {...field('password', withConfirmation(formState))}
          />
          <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmPassword')} />
          <OnlineButton what="claim this email" type="submit" size="lg" isBusy={takeOver.isPending}>
            Claim email
          </OnlineButton>
        </form>
      )}
      <p className="muted">
        <Link to="/forgot-password" className={`link ${styles['more']}`}>
          Reset your password instead
        </Link>
      </p>
    </AuthFrame>
  );
}
