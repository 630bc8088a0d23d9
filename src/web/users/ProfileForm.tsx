import { useWatch } from 'react-hook-form';
import { accountMessages } from '../../shared/usersAccount';
import type { Schema } from '../../shared/contract';
import { userMessages } from '../../shared/users';
import { profileForm } from '../../shared/usersForms';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { ButtonLink } from '../ui/ButtonLink';
import { PasswordField, TextAreaField, TextField } from '../ui/FormField';
import styles from './accountForm.module.css';
import { findDraft, useDraft } from './drafts';
import { useUpdateProfile } from './profileQueries';

/** @param props.profilePath target of Save and Cancel */
export function ProfileForm({ account, profilePath }: { account: Schema<'User'>; profilePath: string }) {
  const { control, field, handleSubmit, getValues, setError } = useShopForm(profileForm, {
    defaultValues: { ...fieldsOf(account), ...findDraft(account.id, 'profile'), password: '', otp: '' },
  });
  const discardDraft = useDraft(account.id, 'profile', () => {
    const { password: _, otp: __, ...values } = getValues();
    const before: Record<string, string> = fieldsOf(account);
    return Object.entries(values).some(([name, value]) => value !== before[name]) ? values : undefined;
  });
  const save = useUpdateProfile(account.id, discardDraft, profilePath);
  useFieldErrors(save.error, setError);
  const isNewEmail = useWatch({ control, name: 'email' }).trim() !== account.email;
  const needsCode = isNewEmail && account.hasSecondFactor;
  const submit = handleSubmit(({ password, otp, ...form }) => {
    const { fullName, email, description = null, phoneNumber = null, dob = null } = form;
    const profile = { fullName, email, description, phoneNumber, dob };
    if (!isNewEmail) return save.mutate(profile);
    if (!password) return setError('password', { message: userMessages.passwordForEmail }, { shouldFocus: true });
    if (!needsCode) return save.mutate({ ...profile, password });
    if (!otp) return setError('otp', { message: userMessages.codeForEmail }, { shouldFocus: true });
    save.mutate({ ...profile, password, otp });
  });
  return (
    <form className={`panel ${styles['form']}`} noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="Full Name" autoComplete="name" {...field('fullName')} />
      <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
      {isNewEmail && (
        <PasswordField
          label="Password"
          autoComplete="current-password"
          hint={userMessages.passwordForEmail}
          {...field('password')}
        />
      )}
      {needsCode && (
        <TextField label="Code" autoComplete="one-time-code" hint={accountMessages.codeHint} {...field('otp')} />
      )}
      <div className={styles['columns']}>
        <TextField label="Phone" type="tel" autoComplete="tel" {...field('phoneNumber')} />
        <TextField label="Date of birth" type="date" autoComplete="bday" {...field('dob')} />
      </div>
      <TextAreaField label="Bio" {...field('description')} />
      <div className={styles['actions']}>
        <OnlineButton what="edit your profile" type="submit" isBusy={save.isPending}>
          Save profile
        </OnlineButton>
        <ButtonLink to={profilePath} variant="outline" onClick={discardDraft}>
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}

const fieldsOf = ({ fullName, email, phoneNumber, dob, description }: Schema<'User'>) => ({
  fullName,
  email,
  phoneNumber: phoneNumber ?? '',
  dob: dob ?? '',
  description: description ?? '',
});
