import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { emptyAccount, registrationForm } from '../../shared/authForms';
import { authMessages } from '../../shared/authMessages';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, useSentForm, withConfirmation } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { FailureNotice } from '../ui/FailureNotice';
import { PasswordField, PostalCodeField, StateField, TextField } from '../ui/FormField';
import { useShopFacts } from '../ui/shopFacts';
import { PageMeta } from '../ui/PageMeta';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { useLeaveSignedIn } from './queries';
import { useRegister } from './useRegister';

const route = getRouteApi('/shop/register');

/** Without or before JavaScript, the browser submits the form to POST /register. */
export function RegisterPage() {
  const { redirect } = route.useSearch();
  const router = useRouter();
  useLeaveSignedIn(redirect);
  const signUp = useRegister(redirect);
  const sent = useSentForm('/register');
  const { field, handleSubmit, formState, setError, failure } = useShopForm(registrationForm(useShopFacts()), {
    defaultValues: { ...emptyAccount, ...sent?.values },
    sent,
  });
  useFieldErrors(signUp.error, setError);
  const submit = handleSubmit((form) => signUp.mutate(form));
  return (
    <AuthFrame title="Register" isWide>
      <PageMeta title="Register" description={authMessages.pages.register} path="/register" isHidden />
      {failure && <FailureNotice sentence={failure} />}
      <form
        className={styles['form']}
        method="post"
        action={router.buildLocation({ to: '/register', search: { redirect } }).href}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <TextField label="Full Name" autoComplete="name" {...field('fullName')} />
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <div className={styles['columns']}>
          <PasswordField
            label="Password"
            hint="At least 8 characters, including a letter"
            autoComplete="new-password"
            {...field('password', withConfirmation(formState))}
          />
          <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmPassword')} />
        </div>
        <TextField label="Street address" autoComplete="street-address" {...field('street')} />
        <div className={styles['columns']}>
          <TextField label="City" autoComplete="address-level2" {...field('city')} />
          <StateField autoComplete="address-level1" {...field('state')} />
          <PostalCodeField {...field('postalCode')} />
        </div>
        <OnlineButton what="create an account" type="submit" size="lg" isBusy={signUp.isPending}>
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
