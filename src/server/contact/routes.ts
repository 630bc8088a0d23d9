import { contactSays as says } from '../../shared/contact';
import { contactForm, replyForm } from '../../shared/contactForms';
import type { Schema } from '../../shared/contract';
import type { ContractApi } from '../http/contract';
import { presentPage } from '../http/paging';
import { listMessages, readMessage, replyToMessage, setMessageState, stateOf, type Correspondence } from './inbox';
import { takeMessage } from './service';

export function contactRoutes(api: ContractApi): void {
  api.on(
    'createContactMessage',
    async ({ tx, body, session, visitor, now, request }) => {
      await takeMessage(tx, body, { userId: visitor ? undefined : session.userId, address: request.ip, now });
      return { message: says.createContactMessage.success, data: {} };
    },
    { form: contactForm },
  );
  inboxRoutes(api);
}

function inboxRoutes(api: ContractApi): void {
  api.on('listMessages', async ({ db, query: { page = 0, size = 10, ...filter } }) => {
    const { content, totalElements } = await listMessages(db, filter, { page, size });
    const messages = presentPage(content.map(presentMessage), totalElements, { page, size });
    return { message: says.listMessages.success, data: { messages } };
  });
  api.on('getMessage', async ({ db, params }) =>
    answer(says.getMessage.success, await readMessage(db, params.messageId)),
  );
  api.on('setMessageState', async ({ tx, params, body, session: { userId }, by, now }) => {
    const doing = { by: { ...by, userId }, now };
    return answer(says.setMessageState.success, await setMessageState(tx, params.messageId, body.state, doing));
  });
  api.on(
    'replyToMessage',
    async ({ tx, params, body, session: { userId }, by, now }) => {
      const doing = { by: { ...by, userId }, now };
      return answer(says.replyToMessage.success, await replyToMessage(tx, params.messageId, body.text, doing));
    },
    { form: replyForm },
  );
}

const answer = (message: string, correspondence: Correspondence) => ({
  message,
  data: { contactMessage: presentMessage(correspondence.message), replies: correspondence.replies },
});

function presentMessage(row: Correspondence['message']): Schema<'InboxMessage'> {
  const { id, fullName, email, phone, reason, userId, createdAt, readAt, answeredAt } = row;
  return {
    id,
    fullName,
    email,
    phone,
    reason,
    userId,
    state: stateOf(row),
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
    answeredAt: answeredAt?.toISOString() ?? null,
  };
}
