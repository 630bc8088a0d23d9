import { useState } from 'react';
import { type Backup, backupPageMessages as messages, restoreCommand } from '../../../shared/backupsStaff';
import { Button } from '../../ui/Button';
import { Modal, ModalActions } from '../../ui/Modal';
import { useOpenBackupDownload } from './backupQueries';
import styles from './Backups.module.css';
import { ProofDialog } from './ProofDialog';

interface Props {
  backup: Backup;
  onClose: () => void;
}

/** Asks for the password, and a code with two-step login, then downloads the backup. */
export function BackupDownloadDialog({ backup, onClose }: Props) {
  const open = useOpenBackupDownload(backup.id, (url) => {
    save(url);
    onClose();
  });
  return (
    <ProofDialog title="Download backup" text={messages.download} action="Download" change={open} onClose={onClose} />
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
