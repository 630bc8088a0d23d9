/** The template of each kind of mail, and the sender. Templates are rendered when a mail is sent. */
import {
  invitationEmail,
  noticeEmail,
  proofLinkEmail,
  resetLinkEmail,
  takeoverLinkEmail,
} from '../auth/emailTemplates';
import { contactEmail, replyEmail } from '../contact/emailTemplates';
import type { MailKind } from '../db/schema/tables';
import type { EmailTemplate } from '../mail/render';
import type { MailParts } from '../mail/send';
import { confirmOrder, notifyDelivery, notifyRefund } from '../orders/emailTemplates';
import { readShopSettings } from '../settings/service';

const emailTemplates: Record<MailKind, EmailTemplate> = {
  order_confirmation: confirmOrder,
  out_for_delivery: notifyDelivery,
  refund: notifyRefund,
  contact_received: contactEmail,
  message_reply: replyEmail,
  password_reset: resetLinkEmail,
  security_notice: noticeEmail,
  email_proof: proofLinkEmail,
  account_takeover: takeoverLinkEmail,
  staff_invitation: invitationEmail,
};

/** @returns the parts that send mail; the sender is the shop's settings at the time of sending */
export const withEmailTemplates = (parts: Omit<MailParts, 'emailTemplates' | 'findSender'>): MailParts => ({
  ...parts,
  emailTemplates,
  async findSender() {
    const {
      shopName: name,
      contactEmail: email,
      contactPhone: phone,
      timeZone,
      units,
    } = await readShopSettings(parts.db);
    return { name, email, phone, timeZone, units };
  },
});
