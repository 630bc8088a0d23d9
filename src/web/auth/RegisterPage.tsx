import { zodResolver } from '@hookform/resolvers/zod';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { registrationForm } from '../../shared/authForms';
import { OnlineButton } from '../offline/OnlineButton';
import { withConfirmation } from '../ui/confirmation';
import { PasswordField, StateField, TextField } from '../ui/FormField';
import { useFieldErrors } from '../ui/fieldErrors';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { useRegister } from './queries';

const route = getRouteApi('/shop/register');
const blank = {
  fullName: '',
  email: '',
  password: '',
  confirmPassword: '',
  street: '',
  city: '',
  state: '',
  postalCode: '',
};

export function RegisterPage() {
  const { redirect } = route.useSearch();
  const signUp = useRegister(redirect);
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(registrationForm),
    defaultValues: blank,
    mode: 'onTouched',
  });
  const { errors } = formState;
  useFieldErrors(signUp.error, setError);
  /** A field with its name, its message and what the browser may fill in. */
  const field = (name: keyof typeof blank, autoComplete: string) => ({
    ...register(name, name === 'password' ? withConfirmation(formState) : {}),
    autoComplete,
    error: errors[name]?.message,
  });
  const submit = handleSubmit((form) => signUp.mutate(form));
  return (
    <AuthFrame title="Register" isWide>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Full Name" {...field('fullName', 'name')} />
        <TextField label="Email" type="email" {...field('email', 'email')} />
        <div className={styles['columns']}>
          <PasswordField
            label="Password"
            hint="At least 8 characters, with a letter"
            {...field('password', 'new-password')}
          />
          <PasswordField label="Confirm Password" {...field('confirmPassword', 'new-password')} />
        </div>
        <TextField label="Street" {...field('street', 'street-address')} />
        <div className={styles['columns']}>
          <TextField label="City" {...field('city', 'address-level2')} />
          <StateField {...field('state', 'address-level1')} />
          <TextField label="Postal Code" inputMode="numeric" {...field('postalCode', 'postal-code')} />
        </div>
        <OnlineButton what="Registration" type="submit" size="lg" isBusy={signUp.isPending}>
          Register
        </OnlineButton>
      </form>
      <p className="muted">
        Have an account?{' '}
        <Link to="/login" search={{ redirect }} className={`link ${styles['more']}`}>
          Login
        </Link>
      </p>
    </AuthFrame>
  );
}
