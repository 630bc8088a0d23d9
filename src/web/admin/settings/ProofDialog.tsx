import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { passwordProofForm, secondFactorProofForm } from '../../../shared/authForms';
import { accountMessages } from '../../../shared/usersAccount';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { PasswordField, TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import { userQuery } from '../../users/queries';
import { Pending } from '../ui/AdminHead';
import form from '../ui/form.module.css';
import styles from './ProofDialog.module.css';

interface Props {
  title: string;
  text: string;
  /** The button, such as Download. */
  action: string;
  isDangerous?: boolean;
  /** Of the password's field, if the page behind has another password. */
  label?: string;
  /** The change that takes the proof. */
  change: { mutate: (proof: Proof) => void; isPending: boolean; error: Error | null };
  onClose: () => void;
}
interface Proof {
  password: string;
  otp?: string;
}

const route = getRouteApi('/admin');

/** Asks for the user's own password, and a code with two-step login, before an action. */
export function ProofDialog(props: Props) {
  const { user } = route.useRouteContext();
  const query = useQuery(userQuery(user.id));
  const { data: account } = query;
  return (
    <Modal title={props.title} onClose={props.onClose}>
      {account && <ProofForm {...props} hasCode={account.hasSecondFactor} />}
      <Pending
        query={query}
        failure={accountMessages.profileFailed}
        what="your account"
        className={styles['waiting']}
      />
    </Modal>
  );
}

function ProofForm({
  text,
  action,
  isDangerous,
  label = 'Password',
  change,
  onClose,
  hasCode,
}: Props & { hasCode: boolean }) {
  const { field, handleSubmit, setError } = useShopForm(hasCode ? secondFactorProofForm : passwordProofForm, {
    defaultValues: { password: '', otp: '' },
    mode: 'onSubmit',
  });
  const { mutate, isPending, error } = change;
  useFieldErrors(error, setError);
  const submit = handleSubmit((proof) => mutate(proof));
  return (
    <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
      <p>{text}</p>
      <PasswordField label={label} autoComplete="current-password" {...field('password')} />
      {hasCode && (
        <TextField label="Code" autoComplete="one-time-code" hint={accountMessages.codeHint} {...field('otp')} />
      )}
      <ModalActions onClose={onClose}>
        <OnlineButton
          what={action.toLowerCase()}
          type="submit"
          isBusy={isPending}
          {...(isDangerous && { colorPalette: 'error' })}
        >
          {action}
        </OnlineButton>
      </ModalActions>
    </form>
  );
}
