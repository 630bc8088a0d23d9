import { contactFormMessages } from '../../shared/contact';
import type { Schema } from '../../shared/contract';
import { visitor } from '../outbox/entry';
import type { Definitions } from '../outbox/operation';
import { answer, api, apiForVisitors } from '../server/client';

declare module '../outbox/operation' {
  interface Inputs {
    createContactMessage: { userId: string; message: Schema<'ContactMessage'> };
  }
}

export const contactOperations: Definitions<'createContactMessage'> = {
  createContactMessage: {
    messages: contactFormMessages.createContactMessage,
    send({ userId, message }, { header, signal }) {
      const { POST } = userId === visitor ? apiForVisitors : api;
      return answer(POST('/public/contact/create', { params: { header }, body: message, signal }));
    },
    isOfForm: true,
    isForVisitors: true,
  },
};
