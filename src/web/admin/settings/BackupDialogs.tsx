import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { passwordProofForm, secondFactorProofForm } from '../../../shared/authForms';
import { type Backup, backupPageMessages as messages, restoreCommand } from '../../../shared/backupsStaff';
import { accountMessages } from '../../../shared/usersAccount';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { Button } from '../../ui/Button';
import { PasswordField, TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import { userQuery } from '../../users/queries';
import { Pending } from '../ui/AdminHead';
import form from '../ui/form.module.css';
import { useOpenBackupDownload } from './backupQueries';
import styles from './Backups.module.css';

interface Props {
  backup: Backup;
  onClose: () => void;
}

const route = getRouteApi('/admin');

/** Asks for the password, and a code with two-step login, then downloads the backup. */
export function BackupDownloadDialog({ backup, onClose }: Props) {
  const { user } = route.useRouteContext();
  const query = useQuery(userQuery(user.id));
  const { data: account } = query;
  return (
    <Modal title="Download backup" onClose={onClose}>
      {account && <ProofForm backup={backup} hasCode={account.hasSecondFactor} onClose={onClose} />}
      <Pending
        query={query}
        failure={accountMessages.profileFailed}
        what="your account"
        className={styles['waiting']}
      />
    </Modal>
  );
}

function ProofForm({ backup, hasCode, onClose }: Props & { hasCode: boolean }) {
  const { field, handleSubmit, setError } = useShopForm(hasCode ? secondFactorProofForm : passwordProofForm, {
    defaultValues: { password: '', otp: '' },
    mode: 'onSubmit',
  });
  const { mutate, isPending, error } = useOpenBackupDownload(backup.id, (url) => {
    save(url);
    onClose();
  });
  useFieldErrors(error, setError);
  const submit = handleSubmit((proof) => mutate(proof));
  return (
    <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
      <p>{messages.download}</p>
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      {hasCode && (
        <TextField label="Code" autoComplete="one-time-code" hint={accountMessages.codeHint} {...field('otp')} />
      )}
      <ModalActions onClose={onClose}>
        <OnlineButton what="download" type="submit" isBusy={isPending}>
          Download
        </OnlineButton>
      </ModalActions>
    </form>
  );
}

/** Saves what `url` returns, under the name that the response gives it. */
function save(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** The command that restores a backup. */
export function BackupRestoreDialog({ backup: { folder }, onClose }: Props) {
  const [isCopied, setCopied] = useState(false);
  const command = restoreCommand(folder ?? '');
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
  };
  return (
    <Modal title="Restore backup" onClose={onClose}>
      <p>{messages.restore}</p>
      <code className={styles['command']}>{command}</code>
      <ModalActions onClose={onClose} closeText="Close">
        <Button onClick={() => void copy()}>{isCopied ? 'Copied' : 'Copy command'}</Button>
      </ModalActions>
    </Modal>
  );
}
