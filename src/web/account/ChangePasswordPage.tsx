import { zodResolver } from '@hookform/resolvers/zod';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { accountSays } from '../../shared/account';
import { isStaff } from '../../shared/auth';
import { passwordChangeForm, staffPasswordChangeForm } from '../../shared/authForms';
import { OnlineButton } from '../offline/OnlineButton';
import { withConfirmation } from '../ui/confirmation';
import { PasswordField } from '../ui/FormField';
import { useFieldErrors } from '../ui/fieldErrors';
import { AccountFrame } from './AccountFrame';
import styles from './accountForm.module.css';
import { useChangePassword } from './profileQueries';

const route = getRouteApi('/shop/signed-in/customer/edit/password');

/** One's own password; also where somebody is sent who has to change it before anything else. */
export function ChangePasswordPage() {
  const { user } = route.useRouteContext();
  const { redirect } = route.useSearch();
  const isDuty = useLocation({ select: ({ state }) => state.isDuty ?? false });
  const change = useChangePassword(user.id, redirect);
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(isStaff(user.role) ? staffPasswordChangeForm : passwordChangeForm),
    defaultValues: { currentPassword: '', password: '', confirmPassword: '' },
    mode: 'onTouched',
  });
  const { errors } = formState;
  useFieldErrors(change.error, setError);
  const field = (name: 'currentPassword' | 'password' | 'confirmPassword') => ({
    ...register(name, name === 'password' ? withConfirmation(formState) : {}),
    autoComplete: name === 'currentPassword' ? 'current-password' : 'new-password',
    error: errors[name]?.message,
  });
  const submit = handleSubmit((form) => change.mutate(form));
  return (
    <AccountFrame title="Change Password">
      {isDuty && <p className={styles['note']}>{accountSays.mustChangePassword}</p>}
      <form className={`panel ${styles['form']}`} noValidate onSubmit={(event) => void submit(event)}>
        <PasswordField label="Present Password" {...field('currentPassword')} />
        <PasswordField
          label="New Password"
          hint={isStaff(user.role) ? accountSays.staffPasswordRule : accountSays.passwordRule}
          {...field('password')}
        />
        <PasswordField label="Confirm Password" {...field('confirmPassword')} />
        <p className={styles['quiet']}>{accountSays.passwordEndsSessions}</p>
        <div className={styles['actions']}>
          <OnlineButton what="A new password" type="submit" isBusy={change.isPending}>
            Change Password
          </OnlineButton>
        </div>
      </form>
    </AccountFrame>
  );
}
