import { useLocation } from '@tanstack/react-router';
import { accountMessages } from '../../shared/usersAccount';
import { isStaff } from '../../shared/auth';
import { passwordChangeForm, staffPasswordChangeForm } from '../../shared/authForms';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, withConfirmation } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import type { Session } from '../server/session';
import { PasswordField } from '../ui/FormField';
import styles from './accountForm.module.css';
import { useChangePassword } from './profileQueries';

/** Changes the user's own password; also shown to users who must change it before anything else. */
export function ChangePassword({ user, wayBack }: { user: Session; wayBack: string }) {
  const isDuty = useLocation({ select: ({ state }) => state.isDuty ?? false });
  const change = useChangePassword(user.id, wayBack);
  const { field, handleSubmit, formState, setError } = useShopForm(
    isStaff(user.role) ? staffPasswordChangeForm : passwordChangeForm,
    { defaultValues: { currentPassword: '', password: '', confirmPassword: '' } },
  );
  useFieldErrors(change.error, setError);
  const submit = handleSubmit((form) => change.mutate(form));
  return (
    <>
      {isDuty && <p className={styles['note']}>{accountMessages.mustChangePassword}</p>}
      <form className={`panel ${styles['form']}`} noValidate onSubmit={(event) => void submit(event)}>
        <PasswordField label="Current password" autoComplete="current-password" {...field('currentPassword')} />
        <PasswordField
          label="New password"
          hint={isStaff(user.role) ? accountMessages.staffPasswordRule : accountMessages.passwordRule}
          autoComplete="new-password"
          {...field('password', withConfirmation(formState))}
        />
        <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmPassword')} />
        <p className={styles['quiet']}>{accountMessages.passwordEndsSessions}</p>
        <div className={styles['actions']}>
          <OnlineButton what="change your password" type="submit" isBusy={change.isPending}>
            Change password
          </OnlineButton>
        </div>
      </form>
    </>
  );
}
