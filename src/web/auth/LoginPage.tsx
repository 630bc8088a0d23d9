import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { loginForm } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { offlineSays } from '../../shared/offline';
import { ApiError } from '../server/errors';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, useShopForm } from '../forms/useShopForm';
import { visitor } from '../outbox/entry';
import { useSealedCount } from '../outbox/outbox';
import { PasswordField, TextField } from '../ui/FormField';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { loginEmail } from './loginEmail';
import { secondFactorRequired, useLogin } from './queries';
import { SecondFactorStep } from './SecondFactorStep';

const route = getRouteApi('/shop/login');

export function LoginPage() {
  const { redirect } = route.useSearch();
  const said = useLocation({ select: ({ state }) => state.said });
  const login = useLogin(redirect);
  const sealed = useSealedCount(visitor);
  const { field, register, handleSubmit, setError } = useShopForm(loginForm, {
    defaultValues: { email: loginEmail.get(), password: '', rememberMe: true },
  });
  useFieldErrors(login.error, setError);
  const [credentials, setCredentials] = useState<Schema<'Credentials'>>();
  const submit = handleSubmit((form) => {
    const onError = (error: unknown) => {
      if (error instanceof ApiError && error.code === secondFactorRequired) setCredentials(form);
    };
    login.mutate(form, { onError });
  });
  if (credentials) {
    return <SecondFactorStep login={login} credentials={credentials} onBack={() => setCredentials(undefined)} />;
  }
  return (
    <AuthFrame title="Login">
      {said && <output className={styles['said']}>{said}</output>}
      {sealed > 0 && <output className={styles['said']}>{offlineSays.sealedCount(sealed)}</output>}
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        <div className={styles['row']}>
          <label className={styles['check']}>
            <input type="checkbox" {...register('rememberMe')} /> Remember me
          </label>
          <Link to="/forgot-password" className={`link ${styles['more']}`}>
            Forgot Password
          </Link>
        </div>
        <OnlineButton what="Login" type="submit" size="lg" isBusy={login.isPending}>
          Login
        </OnlineButton>
      </form>
      <p className="muted">
        New here?{' '}
        <Link to="/register" search={{ redirect }} className={`link ${styles['more']}`}>
          Register
        </Link>
      </p>
    </AuthFrame>
  );
}
