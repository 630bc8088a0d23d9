import { chakra } from '@chakra-ui/react/styled-system';
import { zodResolver } from '@hookform/resolvers/zod';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { loginForm } from '../../shared/authForms';
import { ActionButton } from '../ui/ActionButton';
import { PasswordField, TextField } from '../ui/FormField';
import { useFieldErrors } from '../ui/fieldErrors';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { useLogin } from './queries';

const route = getRouteApi('/shop/login');

export function LoginPage() {
  const { redirect } = route.useSearch();
  const email = useLocation({ select: ({ state }) => state.email ?? '' });
  const login = useLogin(redirect);
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(loginForm),
    defaultValues: { email, password: '', rememberMe: true },
    mode: 'onTouched',
  });
  const { errors } = formState;
  useFieldErrors(login.error, setError);
  const submit = handleSubmit((form) => login.mutate(form));
  return (
    <AuthFrame title="Login">
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password')}
        />
        <div className={styles['row']}>
          <label className={styles['check']}>
            <input type="checkbox" {...register('rememberMe')} /> Remember me
          </label>
          <Link to="/forgot-password" className={`link ${styles['more']}`}>
            Forgot Password
          </Link>
        </div>
        <ActionButton type="submit" size="lg" isBusy={login.isPending}>
          Login
        </ActionButton>
      </form>
      <chakra.p color="fg.muted">
        New here?{' '}
        <Link to="/register" search={{ redirect }} className={`link ${styles['more']}`}>
          Register
        </Link>
      </chakra.p>
    </AuthFrame>
  );
}
