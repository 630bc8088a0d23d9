import { useWatch } from 'react-hook-form';
import { accountMessages } from '../../../shared/usersAccount';
import { emptyAccount } from '../../../shared/authForms';
import { roleNames } from '../../../shared/usersStaff';
import { newUserForm } from '../../../shared/usersForms';
import { useFieldErrors, withConfirmation } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { PasswordField, PostalCodeField, SelectField, StateField, TextField } from '../../ui/FormField';
import { useShopFacts } from '../../ui/shopFacts';
import form from '../ui/form.module.css';
import { AdminHead } from '../ui/AdminHead';
import { SaveOrCancel } from '../ui/SaveOrCancel';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { useCreateUser } from './queries';

const blank = { ...emptyAccount, role: '' };

/** The registration form and a role. Rule: docs/rules/accounts.md, Registering */
export function AdminNewUserPage() {
  const user = useShopForm(newUserForm(useShopFacts()), { defaultValues: blank });
  const { control, handleSubmit, formState, setError } = user;
  useStaffDraft('new user', user, { secrets: ['password', 'confirmPassword'] });
  const { question, allowLeaving } = useLeaveGuard(formState.isDirty);
  const create = useCreateUser(allowLeaving);
  useFieldErrors(create.error, setError);
  const isForStaff = useWatch({ control, name: 'role' }) === 'ROLE_ADMIN';
  const field = (name: keyof typeof blank) => ({
    ...user.field(name, name === 'password' ? withConfirmation(formState) : {}),
    autoComplete: 'off', // the browser would fill in the staff member's own data
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
            hint={isForStaff ? accountMessages.staffPasswordRule : accountMessages.passwordRule}
            {...field('password')}
            autoComplete="new-password"
          />
          <PasswordField label="Confirm password" {...field('confirmPassword')} autoComplete="new-password" />
        </div>
        <TextField label="Street address" {...field('street')} />
        <div className={form['two']}>
          <TextField label="City" {...field('city')} />
          <StateField {...field('state')} />
        </div>
        <div className={form['two']}>
          <PostalCodeField {...field('postalCode')} />
        </div>
        <SaveOrCancel what="add a user" isBusy={create.isPending} cancelTo="/user/management" />
        {question}
      </form>
    </>
  );
}
