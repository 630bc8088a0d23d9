/** The template of each kind of mail, and the sender. Templates are rendered when a mail is sent. */
import { accentOf, initialPalette } from '../../shared/brandPalettes';
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
import type { PictureStore } from '../pictures/files';
import { readBrand } from '../settings/brand';
import { dailyOrdersEmail, lowStockEmail, newOrderEmail } from '../staffMails/emailTemplates';

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
  new_order: newOrderEmail,
  daily_orders: dailyOrdersEmail,
  low_stock: lowStockEmail,
};

/** @returns the parts that send mail; the sender is the shop's settings at the time of sending */
export const withEmailTemplates = ({
  pictureStore,
  ...parts
}: Omit<MailParts, 'emailTemplates' | 'findSender'> & { pictureStore: PictureStore }): MailParts => ({
  ...parts,
  emailTemplates,
  async findSender() {
    const { settings, logo } = await readBrand(parts.db, pictureStore);
    const { shopName: name, contactEmail: email, contactPhone: phone, storeAddress: address, palette } = settings;
    const accent = palette === initialPalette ? undefined : accentOf(palette);
    return { name, email, phone, address, logo, accent, timeZone: settings.timeZone, units: settings.units };
  },
});
