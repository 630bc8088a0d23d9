import { getRouteApi, Link, useLocation, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { accountMessages } from '../../shared/usersAccount';
import type { SaidAtLogin } from '../../shared/authPages';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { outboxMessages } from '../../shared/outbox';
import { ApiError } from '../server/errors';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, usePlainForm, useSentForm } from '../forms/plainForm';
import { visitor } from '../outbox/entry';
import { useSealedCount } from '../outbox/outbox';
import { FailureNotice } from '../ui/FailureNotice';
import { PasswordField, TextField } from '../ui/FormField';
import { PageMeta } from '../ui/PageMeta';
import { useIsHydrated } from '../ui/useIsHydrated';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { loginEmail } from './loginEmail';
import { loginRules } from './loginRules';
import { invalidCredentials, secondFactorRequired, useLeaveSignedIn, useLogin } from './queries';
import { SecondFactorStep } from './SecondFactorStep';

const route = getRouteApi('/shop/login');

const messageByCode: Record<SaidAtLogin, string> = {
  registered: authMessages.proofMailed,
  asked: authMessages.askForReset.success,
};

/** Without or before JavaScript, the browser submits the form to POST /login. */
export function LoginPage() {
  const { redirect, said: messageCode } = route.useSearch();
  const router = useRouter();
  useLeaveSignedIn(redirect);
  const isHydrated = useIsHydrated();
  const passedMessage = useLocation({ select: ({ state }) => state.said }); // survives a reload
  const message = (isHydrated && passedMessage) || (messageCode && messageByCode[messageCode]);
  const login = useLogin(redirect);
  const sealed = useSealedCount(visitor);
  const sent = useSentForm('/login');
  const needsCode = sent?.code.startsWith('second_factor') === true;
  const rules = needsCode ? loginRules('email', 'password', 'otp') : loginRules('email', 'password');
  const { field, register, handleSubmit, setError, failure } = usePlainForm(rules, {
    defaultValues: { email: sent?.values['email'] ?? loginEmail.get(), password: '', rememberMe: true, otp: '' },
    sent,
  });
  useFieldErrors(login.error, setError);
  const [credentials, setCredentials] = useState<Schema<'Credentials'>>();
  const submit = handleSubmit((form) => {
    const onError = (error: unknown) => {
      if (!(error instanceof ApiError)) return;
      if (error.code === secondFactorRequired) setCredentials(form);
      if (error.code === invalidCredentials)
        setError('password', { message: authMessages.login.failure }, { shouldFocus: true });
    };
    login.mutate(form, { onError });
  });
  if (credentials) {
    return <SecondFactorStep login={login} credentials={credentials} onBack={() => setCredentials(undefined)} />;
  }
  return (
    <AuthFrame title="Log in">
      <PageMeta title="Log in" description={authMessages.pages.login} path="/login" isHidden />
      {message && <output className={styles['said']}>{message}</output>}
      {sealed > 0 && <output className={styles['said']}>{outboxMessages.sealedCount(sealed)}</output>}
      {failure && <FailureNotice sentence={failure} />}
      <form
        className={styles['form']}
        method="post"
        action={router.buildLocation({ to: '/login', search: { redirect } }).href}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        {needsCode && (
          <>
            <p className="muted">{accountMessages.passwordAgain}</p>
            <TextField label="Code" autoComplete="one-time-code" hint={accountMessages.codeHint} {...field('otp')} />
          </>
        )}
        <div className={styles['row']}>
          <label className={styles['check']}>
            <input type="checkbox" defaultChecked={sent?.values['rememberMe'] !== ''} {...register('rememberMe')} />{' '}
            Remember me
          </label>
          <Link to="/forgot-password" className={`link ${styles['more']}`}>
            Forgot Password
          </Link>
        </div>
        <OnlineButton what="log in" type="submit" size="lg" isBusy={login.isPending}>
          Log in
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
