import { Link } from '@tanstack/react-router';
import { accountMessages } from '../../shared/usersAccount';
import { resetPasswordForm } from '../../shared/authForms';
import { ApiError } from '../server/errors';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, withConfirmation } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { FailureNotice } from '../ui/FailureNotice';
import { PasswordField } from '../ui/FormField';
import { PageTitle } from '../ui/PageMeta';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { useResetPassword } from './passwordQueries';
import { useLinkToken } from './useLinkToken';

export function ResetPasswordPage() {
  const { token } = useLinkToken('/reset-password') ?? { token: '' };
  const reset = useResetPassword();
  const { field, handleSubmit, formState, setError } = useShopForm(resetPasswordForm, {
    defaultValues: { password: '', confirmPassword: '' },
  });
  useFieldErrors(reset.error, setError);
  const submit = handleSubmit((form) => reset.mutate({ token, ...form }));
  const isLinkInvalid = reset.error instanceof ApiError && reset.error.code === 'reset_link_invalid';
  const linkError = token === '' ? accountMessages.resetLinkMissing : isLinkInvalid && reset.error?.message;
  return (
    <AuthFrame title="Choose a new password">
      <PageTitle>Choose a new password</PageTitle>
      {linkError && <FailureNotice sentence={linkError} />}
      {!linkError && (
        <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
          <PasswordField
            label="New password"
            autoComplete="new-password"
            hint={accountMessages.passwordRule}
            {...field('password', withConfirmation(formState))}
          />
          <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmPassword')} />
          <OnlineButton what="reset your password" type="submit" size="lg" isBusy={reset.isPending}>
            Save password
          </OnlineButton>
        </form>
      )}
      <p className="muted">
        <Link to="/forgot-password" className={`link ${styles['more']}`}>
          Get a new link
        </Link>
      </p>
    </AuthFrame>
  );
}
