import { accountMessages } from '../../shared/usersAccount';
import { resetPasswordForm } from '../../shared/authForms';
import { authMessages } from '../../shared/authMessages';
import { ApiError } from '../server/errors';
import { OnlineButton } from '../connection/OnlineButton';
import { useFieldErrors, withConfirmation } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { FailureNotice } from '../ui/FailureNotice';
import { PasswordField } from '../ui/FormField';
import { PageTitle } from '../ui/PageMeta';
import { AuthFrame } from './AuthFrame';
import styles from './form.module.css';
import { useAcceptInvitation } from './passwordQueries';
import { useLinkToken } from './useLinkToken';

/** A person who was invited to work in the shop chooses a password. Rule: docs/rules/accounts.md, Invitations */
export function InvitationPage() {
  const { token } = useLinkToken('/invitation') ?? { token: '' };
  const accept = useAcceptInvitation();
  const { field, handleSubmit, formState, setError } = useShopForm(resetPasswordForm, {
    defaultValues: { password: '', confirmPassword: '' },
  });
  useFieldErrors(accept.error, setError);
  const submit = handleSubmit((form) => accept.mutate({ token, ...form }));
  const isLinkInvalid = accept.error instanceof ApiError && accept.error.code === 'invitation_invalid';
  const linkError = token === '' ? authMessages.invitationMissing : isLinkInvalid && accept.error?.message;
  return (
    <AuthFrame title="Choose your password">
      <PageTitle>Choose your password</PageTitle>
      {linkError && <FailureNotice sentence={linkError} />}
      {!linkError && (
        <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
          <PasswordField
            label="Password"
            autoComplete="new-password"
            hint={accountMessages.staffPasswordRule}
            {...field('password', withConfirmation(formState))}
          />
          <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmPassword')} />
          <OnlineButton what="accept the invitation" type="submit" size="lg" isBusy={accept.isPending}>
            Save password
          </OnlineButton>
        </form>
      )}
    </AuthFrame>
  );
}
