import { zodResolver } from '@hookform/resolvers/zod';
import { Link } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { accountSays } from '../../shared/account';
import { forgotPasswordForm } from '../../shared/authForms';
import { OnlineButton } from '../offline/OnlineButton';
import { TextField } from '../ui/FormField';
import { useFieldErrors } from '../ui/fieldErrors';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { loginEmail } from './loginEmail';
import { useAskForReset } from './passwordQueries';

export function ForgotPasswordPage() {
  const ask = useAskForReset();
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(forgotPasswordForm),
    defaultValues: { email: loginEmail.get() },
    mode: 'onTouched',
  });
  useFieldErrors(ask.error, setError);
  const submit = handleSubmit((form) => ask.mutate(form));
  return (
    <AuthFrame title="Forgot Password">
      <p className="muted">{accountSays.forgot}</p>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={formState.errors.email?.message}
          {...register('email')}
        />
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
