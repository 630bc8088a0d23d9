import type { Schema } from '../../shared/contract';
import { mailMessages } from '../../shared/mail';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import type { MailParts } from './send';
import type { EmailContent } from './render';
import { listMails, readMail, resendMail, mailStateOf, type MailView } from './service';

export function mailRoutes(api: ContractApi, parts: { mail: MailParts }): void {
  api.on('listMails', async ({ db, query: { page = 0, size = 10, ...filter } }) => {
    const { content, totalElements } = await listMails(db, filter, { page, size });
    return {
      message: 'Emails',
      data: { mails: presentPage(content.map(presentMail), totalElements, { page, size }) },
    };
  });
  api.on('getMail', async ({ params }) => {
    const { view, letter, file } = await readMail(parts.mail, params.mailId);
    return {
      message: 'Email',
      data: {
        mail: presentMail(view),
        content: {
          subject: letter?.subject ?? null,
          text: letter?.text ?? null,
          file: file ?? null,
          letter: letter ? presentLetter(letter) : null,
        },
      },
    };
  });
  api.on('resendMail', async ({ tx, params, session, by, now }) => ({
    message: mailMessages.resendMail.success,
    data: { mail: presentMail(await resendMail(tx, params.mailId, { session, by, now })) },
  }));
}

const presentLetter = ({
  paragraphs,
  table,
  block,
  action,
  signature,
}: EmailContent & { signature: string[] }): Schema<'MailLetter'> => ({
  paragraphs: [...paragraphs],
  rows: table ? [...table.rows, table.total] : [],
  block: block ? { title: block.title, lines: [...block.lines] } : null,
  action: action ?? null,
  signature,
});

function presentMail({ id, kind, recipient, attempts, lastError, ...mail }: MailView): Schema<'Mail'> {
  return {
    id,
    kind,
    recipient,
    orderId: mail.orderId,
    orderNumber: mail.orderNumber,
    state: mailStateOf(mail),
    attempts,
    lastError,
    createdAt: mail.createdAt.toISOString(),
    sentAt: mail.sentAt?.toISOString() ?? null,
  };
}
