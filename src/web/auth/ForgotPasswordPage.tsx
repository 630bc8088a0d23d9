import { Link } from '@tanstack/react-router';
import { accountMessages } from '../../shared/usersAccount';
import { forgotPasswordForm } from '../../shared/authForms';
import { authMessages } from '../../shared/authMessages';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, useSentForm } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { FailureNotice } from '../ui/FailureNotice';
import { TextField } from '../ui/FormField';
import { PageMeta } from '../ui/PageMeta';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { loginEmail } from './loginEmail';
import { useRequestResetLink } from './passwordQueries';

/** Without or before JavaScript, the browser submits the form to POST /forgot-password. */
export function ForgotPasswordPage() {
  const request = useRequestResetLink();
  const sent = useSentForm('/forgot-password');
  const { field, handleSubmit, setError, failure } = useShopForm(forgotPasswordForm, {
    defaultValues: { email: sent?.values['email'] ?? loginEmail.get() },
    sent,
  });
  useFieldErrors(request.error, setError);
  const submit = handleSubmit((form) => request.mutate(form));
  return (
    <AuthFrame title="Reset your password">
      <PageMeta
        title="Reset your password"
        description={authMessages.pages.forgotPassword}
        path="/forgot-password"
        isHidden
      />
      <p className="muted">{accountMessages.forgot}</p>
      {failure && <FailureNotice sentence={failure} />}
      <form
        className={styles['form']}
        method="post"
        action="/forgot-password"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <OnlineButton what="get a reset link" type="submit" size="lg" isBusy={request.isPending}>
          Send link
        </OnlineButton>
      </form>
      <p className="muted">
        <Link to="/login" className={`link ${styles['more']}`}>
          Back to login
        </Link>
      </p>
    </AuthFrame>
  );
}
