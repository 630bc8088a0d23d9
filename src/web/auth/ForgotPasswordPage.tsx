import { Link } from '@tanstack/react-router';
import { accountSays } from '../../shared/account';
import { forgotPasswordForm } from '../../shared/authForms';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, useShopForm } from '../forms/useShopForm';
import { TextField } from '../ui/FormField';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { loginEmail } from './loginEmail';
import { useAskForReset } from './passwordQueries';

export function ForgotPasswordPage() {
  const ask = useAskForReset();
  const { field, handleSubmit, setError } = useShopForm(forgotPasswordForm, {
    defaultValues: { email: loginEmail.get() },
  });
  useFieldErrors(ask.error, setError);
  const submit = handleSubmit((form) => ask.mutate(form));
  return (
    <AuthFrame title="Forgot Password">
      <p className="muted">{accountSays.forgot}</p>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <OnlineButton what="A new password" type="submit" size="lg" isBusy={ask.isPending}>
          Send Link
        </OnlineButton>
      </form>
      <p className="muted">
        <Link to="/login" className={`link ${styles['more']}`}>
          Back to Login
        </Link>
      </p>
    </AuthFrame>
  );
}
