import type { Schema } from '../../shared/contract';
import { mailSays } from '../../shared/mail';
import type { ContractApi } from '../http/contract';
import { presentPage } from '../http/paging';
import type { MailParts } from './send';
import { listMails, readMail, resendMail, type MailView } from './service';

export function mailRoutes(api: ContractApi, parts: { mail: MailParts }): void {
  api.on('listMails', async ({ db, query }) => {
    const { page = 0, size = 10, state } = query;
    const { content, totalElements } = await listMails(db, state, { page, size });
    return {
      message: 'Mails',
      data: { mails: presentPage(content.map(presentMail), totalElements, { page, size }) },
    };
  });
  api.on('getMail', async ({ params }) => {
    const { view, letter, file } = await readMail(parts.mail, params.mailId);
    return {
      message: 'Mail',
      data: {
        mail: presentMail(view),
        content: { subject: letter?.subject ?? null, text: letter?.text ?? null, file: file ?? null },
      },
    };
  });
  api.on('resendMail', async ({ tx, params, by, now }) => ({
    message: mailSays.resendMail.success,
    data: { mail: presentMail(await resendMail(tx, params.mailId, by, now)) },
  }));
}

function presentMail({ id, kind, recipient, state, attempts, lastError, ...mail }: MailView): Schema<'Mail'> {
  return {
    id,
    kind,
    recipient,
    orderId: mail.orderId,
    orderNumber: mail.orderNumber,
    state,
    attempts,
    lastError,
    createdAt: mail.createdAt.toISOString(),
    sentAt: mail.sentAt?.toISOString() ?? null,
  };
}
