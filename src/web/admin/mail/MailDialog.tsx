import { useQuery } from '@tanstack/react-query';
import { mailKindLabels, mailSays } from '../../../shared/mail';
import { ReadFailure } from '../../connection/ReadFailure';
import { Modal, ModalActions } from '../../ui/Modal';
import { Waiting } from '../../ui/Waiting';
import { Facts } from '../ui/Facts';
import { timeOf } from '../ui/when';
import styles from './mail.module.css';
import { type Mail, mailQuery } from './queries';

/** A mail with its words, but for those that hold a secret. */
export function MailDialog({
  mail: { id, kind, recipient, createdAt, sentAt },
  onClose,
}: {
  mail: Mail;
  onClose: () => void;
}) {
  const read = useQuery(mailQuery(id));
  const { data, error } = read;
  return (
    <Modal title={mailKindLabels[kind]} onClose={onClose}>
      <Facts
        rows={[
          ['Recipient', recipient],
          ['Subject', data?.content.subject],
          ['Written', timeOf(createdAt)],
          ['Sent', sentAt && timeOf(sentAt)],
          ['File', data?.content.file],
        ]}
      />
      {data && <p className={styles['text']}>{data.content.text ?? mailSays.noText}</p>}
      {!data && error && <ReadFailure read={read} failure={mailSays.getMail.failure} back={null} />}
      {!data && !error && (
        <Waiting what="the mail">
          <span className={`skeleton ${styles['waiting']}`} />
        </Waiting>
      )}
      <ModalActions onClose={onClose} closeText="Close" />
    </Modal>
  );
}
