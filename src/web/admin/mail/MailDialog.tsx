import { useQuery } from '@tanstack/react-query';
import { mailKindLabels, mailSays } from '../../../shared/mail';
import { sentenceOf } from '../../server/errors';
import { FailureNotice } from '../../ui/FailureNotice';
import { Modal, ModalActions } from '../../ui/Modal';
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
  const { data, error, refetch } = useQuery(mailQuery(id));
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
      {!data && error && <FailureNotice sentence={sentenceOf(error, mailSays.getMail.failure)} onRetry={refetch} />}
      {!data && !error && <output className={`skeleton ${styles['waiting']}`} aria-label="Loading the mail" />}
      <ModalActions onClose={onClose} closeText="Close" />
    </Modal>
  );
}
