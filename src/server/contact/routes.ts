import { contactFormMessages as messages } from '../../shared/contact';
import { contactForm, replyForm } from '../../shared/contactForms';
import type { Schema } from '../../shared/contract';
import type { Clock } from '../core/clock';
import { transact, type Db } from '../db/core/transact';
import { admit, type Authenticate } from '../http/contract/access';
import type { ContractApi } from '../http/contract/contract';
import { checkForm } from '../http/contract/forms';
import type { PageForm } from '../http/pages/pageForms';
import { presentPage } from '../http/contract/paging';
import { listMessages, readMessage, replyToMessage, setMessageState, stateOf, type Correspondence } from './inbox';
import type { StaffMailParts } from '../staffMails/service';
import { takeMessage } from './service';

export function contactRoutes(api: ContractApi, parts: StaffMailParts): void {
  api.on(
    'createContactMessage',
    async ({ tx, body, session, now, request }) => {
      await takeMessage(tx, parts, body, { userId: session?.userId, address: request.ip, now });
      return { message: messages.createContactMessage.success, data: {} };
    },
    { form: contactForm },
  );
  inboxRoutes(api);
}

function inboxRoutes(api: ContractApi): void {
  api.on('listMessages', async ({ db, query: { page = 0, size = 10, ...filter } }) => {
    const { content, totalElements } = await listMessages(db, filter, { page, size });
    const inbox = presentPage(content.map(presentMessage), totalElements, { page, size });
    return { message: messages.listMessages.success, data: { messages: inbox } };
  });
  api.on('getMessage', async ({ db, params }) =>
    answer(messages.getMessage.success, await readMessage(db, params.messageId)),
  );
  api.on('setMessageState', async ({ tx, params, body, by, now }) =>
    answer(messages.setMessageState.success, await setMessageState(tx, params.messageId, body.state, { by, now })),
  );
  api.on(
    'replyToMessage',
    async ({ tx, params, body, by, now }) =>
      answer(messages.replyToMessage.success, await replyToMessage(tx, params.messageId, body.text, { by, now })),
    { form: replyForm },
  );
}

type Parts = StaffMailParts & {
  db: Db;
  clock: Clock;
  sessions: { authenticate: Authenticate };
  config: { publicUrl: URL };
};

/** The contact form as submitted without JavaScript. */
export const contactPageForm = ({ db, clock, sessions, config, mail }: Parts): PageForm => ({
  path: '/contact',
  fields: ['fullName', 'email', 'phone', 'reason', 'website'],
  async take({ values, request }) {
    const admission = { authenticate: sessions.authenticate, publicOrigin: config.publicUrl.origin };
    const session = await admit(request, publicAccess, admission);
    const message = checkForm(contactForm, values) as Schema<'ContactMessage'>;
    const writer = { userId: session?.userId, address: request.ip, now: clock.now() };
    await transact(db, (tx) => takeMessage(tx, { mail }, message, writer));
    return '/thankyoupage';
  },
});

const publicAccess = {
  roles: ['visitor', 'customer', 'admin', 'owner'],
  own: [],
  whileUnfinished: false,
  ignoresAuthorization: false,
} as const;

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
