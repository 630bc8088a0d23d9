import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { accountSays } from '../../../shared/account';
import type { Schema } from '../../../shared/contract';
import { roleNames } from '../../../shared/users';
import { newUserForm } from '../../../shared/usersForms';
import { OnlineButton } from '../../offline/OnlineButton';
import { withConfirmation } from '../../ui/confirmation';
import { ButtonLink } from '../../ui/ButtonLink';
import { PasswordField, SelectField, StateField, TextField } from '../../ui/FormField';
import { useFieldErrors } from '../../ui/fieldErrors';
import form from '../form.module.css';
import { AdminHead } from '../shell/AdminHead';
import { useLeaveGuard } from '../useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { useCreateUser } from './queries';

const blank = {
  fullName: '',
  email: '',
  password: '',
  confirmPassword: '',
  street: '',
  city: '',
  state: '',
  postalCode: '',
  role: '' as 'ROLE_ADMIN' | 'ROLE_USER',
};

/** The registration form and a role. Source: specification §5 */
export function AdminNewUserPage() {
  const user = useForm({
    resolver: zodResolver(newUserForm),
    defaultValues: blank as Omit<typeof blank, 'role'> & Pick<Schema<'NewUser'>, 'role'>,
    mode: 'onTouched',
  });
  const { control, register, handleSubmit, formState, setError } = user;
  useStaffDraft('new user', user, { secrets: ['password', 'confirmPassword'] });
  const { errors, isDirty } = formState;
  const { question, letGo } = useLeaveGuard(isDirty);
  const create = useCreateUser(letGo);
  useFieldErrors(create.error, setError);
  const isForStaff = useWatch({ control, name: 'role' }) === 'ROLE_ADMIN';
  const field = (name: keyof typeof blank) => ({
    ...register(name, name === 'password' ? withConfirmation(formState) : {}),
    autoComplete: 'off', // what the browser knows is about somebody else
    error: errors[name]?.message,
  });
  const submit = handleSubmit((values) => create.mutate(values));
  return (
    <>
      <AdminHead title="Add new User" back={{ to: '/user/management' }} />
      <form className={`${form['box']} ${form['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Full Name" {...field('fullName')} />
        <TextField label="Email" type="email" {...field('email')} />
        <SelectField label="Role" {...field('role')}>
          <option value="">Select</option>
          <option value="ROLE_ADMIN">{roleNames.ROLE_ADMIN}</option>
          <option value="ROLE_USER">{roleNames.ROLE_USER}</option>
        </SelectField>
        <div className={form['two']}>
          <PasswordField
            label="Password"
            hint={isForStaff ? accountSays.staffPasswordRule : accountSays.passwordRule}
            {...field('password')}
            autoComplete="new-password"
          />
          <PasswordField label="Confirm Password" {...field('confirmPassword')} autoComplete="new-password" />
        </div>
        <TextField label="Street" {...field('street')} />
        <div className={form['two']}>
          <TextField label="City" {...field('city')} />
          <StateField {...field('state')} />
        </div>
        <div className={form['two']}>
          <TextField label="Postal Code" inputMode="numeric" {...field('postalCode')} />
        </div>
        <div className={form['actions']}>
          <OnlineButton what="Adding a user" type="submit" isBusy={create.isPending}>
            Save
          </OnlineButton>
          <ButtonLink to="/user/management" variant="ghost">
            Cancel
          </ButtonLink>
        </div>
        {question}
      </form>
    </>
  );
}
