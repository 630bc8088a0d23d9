import { getRouteApi, Link } from '@tanstack/react-router';
import { emptyAccount, registrationForm } from '../../shared/authForms';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, useShopForm, withConfirmation } from '../forms/useShopForm';
import { PasswordField, StateField, TextField } from '../ui/FormField';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { useRegister } from './queries';

const route = getRouteApi('/shop/register');

export function RegisterPage() {
  const { redirect } = route.useSearch();
  const signUp = useRegister(redirect);
  const { field, handleSubmit, formState, setError } = useShopForm(registrationForm, { defaultValues: emptyAccount });
  useFieldErrors(signUp.error, setError);
  const submit = handleSubmit((form) => signUp.mutate(form));
  return (
    <AuthFrame title="Register" isWide>
      <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Full Name" autoComplete="name" {...field('fullName')} />
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <div className={styles['columns']}>
          <PasswordField
            label="Password"
            hint="At least 8 characters, with a letter"
            autoComplete="new-password"
            {...field('password', withConfirmation(formState))}
          />
          <PasswordField label="Confirm Password" autoComplete="new-password" {...field('confirmPassword')} />
        </div>
        <TextField label="Street" autoComplete="street-address" {...field('street')} />
        <div className={styles['columns']}>
          <TextField label="City" autoComplete="address-level2" {...field('city')} />
          <StateField autoComplete="address-level1" {...field('state')} />
          <TextField label="Postal Code" inputMode="numeric" autoComplete="postal-code" {...field('postalCode')} />
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
