import { invitationForm } from '../../../shared/usersForms';
import { userStaffMessages } from '../../../shared/usersStaff';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { ActionButton } from '../../ui/ActionButton';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import { NoMailServer } from '../settings/NoMailServer';
import form from '../ui/form.module.css';
import { useCloseGuard } from '../ui/useCloseGuard';
import { useInviteStaff } from './queries';

/** Invites a person to work in the shop, by email. Rule: docs/rules/accounts.md, Invitations */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { field, handleSubmit, setError, formState } = useShopForm(invitationForm, {
    defaultValues: { fullName: '', email: '' },
  });
  const { mutate, isPending, error } = useInviteStaff(onClose);
  useFieldErrors(error, setError);
  const { close, question } = useCloseGuard(formState.isDirty, onClose);
  const submit = handleSubmit((values) => mutate(values));
  return (
    <Modal title="Invite staff" onClose={close}>
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <NoMailServer />
        <p>{userStaffMessages.inviteHint}</p>
        <TextField label="Full Name" {...field('fullName')} autoComplete="off" />
        <TextField label="Email" type="email" {...field('email')} autoComplete="off" />
        <ModalActions onClose={close}>
          <ActionButton type="submit" isBusy={isPending}>
            Send invitation
          </ActionButton>
        </ModalActions>
      </form>
      {question}
    </Modal>
  );
}
