/** Which emails staff get, and the messages about them. Rule: docs/rules/contact-and-mail.md, Emails to staff */
import type { Schema } from './contract';

export type StaffMails = Schema<'StaffMails'>;

/** The hour of the daily emails, in the shop's time zone. */
export const dailyMailHour = 8;

/** Before the user chose: only owners get email, about messages. */
export const defaultStaffMails = (isOwner: boolean): StaffMails => ({
  newOrder: 'off',
  lowStock: false,
  newMessage: isOwner,
});

export const staffMailsMessages = {
  getStaffMails: { success: 'Email notifications', failure: "Couldn't load your email notifications" },
  setStaffMails: {
    success: 'Email notifications saved',
    failure: "Couldn't save your email notifications. Try again.",
  },
  to: (email: string) => `We send these to ${email}.`,
  lowStock: 'One email a day at 8:00 AM, if products are low on stock.',
  newMessage: 'One email for each message from the contact form.',
  noServer: "Email isn't set up, so these emails aren't sent.",
} as const;

export const newOrderLabels: Record<StaffMails['newOrder'], string> = {
  off: 'No email',
  each: 'One email for each order',
  daily: 'One email a day at 8:00 AM',
};
