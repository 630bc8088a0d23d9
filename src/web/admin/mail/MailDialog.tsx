import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { mailKindLabels, mailMessages } from '../../../shared/mail';
import { ReadFailure } from '../../connection/ReadFailure';
import { Modal, ModalActions } from '../../ui/Modal';
import { Waiting } from '../../ui/Waiting';
import { Facts } from '../ui/Facts';
import { timeOf } from '../ui/dates';
import styles from './mail.module.css';
import { type Mail, mailQuery } from './queries';

/**
 * An email as its recipient reads it, except emails with a secret. Rule: docs/rules/contact-and-mail.md, The mail page
 */
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
          ['Created', timeOf(createdAt)],
          ['Sent', sentAt && timeOf(sentAt)],
        ]}
      />
      {data && <Content {...data.content} />}
      {!data && error && <ReadFailure read={read} failure={mailMessages.getMail.failure} back={null} />}
      {!data && !error && (
        <Waiting what="the email">
          <span className={`skeleton ${styles['waiting']}`} />
        </Waiting>
      )}
      <ModalActions onClose={onClose} closeText="Close" />
    </Modal>
  );
}

function Content({ subject, letter, file }: Schema<'MailContent'>) {
  return (
    <>
      {letter ? <EmailContent subject={subject} letter={letter} /> : <p>{mailMessages.noText}</p>}
      {file && (
        <details className={styles['source']}>
          <summary>{mailMessages.showSource}</summary>
          <pre>{file}</pre>
        </details>
      )}
    </>
  );
}

function EmailContent({ subject, letter }: { subject: string | null; letter: Schema<'MailLetter'> }) {
  const { paragraphs, rows, block, action, signature } = letter;
  return (
    <article className={styles['letter']} aria-label="Email">
      <h3>{subject}</h3>
      {paragraphs.map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
      {rows.length > 0 && (
        <table>
          <tbody>
            {rows.map(({ label, amount }, index) => (
              <tr key={index}>
                <td>{label}</td>
                <td>{amount}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {block && (
        <p>
          <strong>{block.title}</strong>
          {`\n${block.lines.join('\n')}`}
        </p>
      )}
      {action && (
        <p>
          <a href={action.url} target="_blank" rel="noreferrer" className="link">
            {action.label}
          </a>
        </p>
      )}
      <p className={styles['signature']}>{signature.join('\n')}</p>
    </article>
  );
}
