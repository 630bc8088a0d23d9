/** Which words each kind of mail has. They are made when it is sent, and again when the owner looks at it. */
import { tellNotice, tellResetLink } from '../auth/letters';
import type { MailKind } from '../db/schema';
import { tellContact, tellReply } from './contactLetters';
import { confirmOrder, tellDelivery, tellRefund } from './orderLetters';
import type { LetterWriter } from './render';

export const letters: Partial<Record<MailKind, LetterWriter>> = {
  order_confirmation: confirmOrder,
  out_for_delivery: tellDelivery,
  refund: tellRefund,
  contact_received: tellContact,
  message_reply: tellReply,
  password_reset: tellResetLink,
  security_notice: tellNotice,
};

/** Kinds with a secret in them: they are shown to nobody but the recipient. */
export const secretKinds: ReadonlySet<MailKind> = new Set(['password_reset']);
