/** Which words each kind of mail has, and whose letters they are. They are written when a mail is sent. */
import { tellNotice, tellProofLink, tellResetLink, tellTakeoverLink } from '../auth/emailTemplates';
import { tellContact, tellReply } from '../contact/letters';
import type { MailKind } from '../db/schema/tables';
import type { LetterWriter } from '../mail/render';
import type { MailParts } from '../mail/send';
import { confirmOrder, tellDelivery, tellRefund } from '../orders/letters';
import { readShopSettings } from '../settings/service';

const letters: Record<MailKind, LetterWriter> = {
  order_confirmation: confirmOrder,
  out_for_delivery: tellDelivery,
  refund: tellRefund,
  contact_received: tellContact,
  message_reply: tellReply,
  password_reset: tellResetLink,
  security_notice: tellNotice,
  email_proof: tellProofLink,
  account_takeover: tellTakeoverLink,
};

/** @returns the parts that send mail, with the shop's letters under the name that the owner has given it by then */
export const withLetters = (parts: Omit<MailParts, 'letters' | 'findSender'>): MailParts => ({
  ...parts,
  letters,
  async findSender() {
    const { shopName: name, contactEmail: email, contactPhone: phone } = await readShopSettings(parts.db);
    return { name, email, phone };
  },
});
