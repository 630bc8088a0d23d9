import type { Schema } from './contract';

/** @param error why the last attempt failed, such as `ESOCKET: connect …` */
function whyWaiting(error: string | null): string {
  if (/^(?:ECONN\w*|ESOCKET|ETIMEDOUT|EDNS)\b/.test(error ?? '')) return "We can't reach the mail server.";
  if (/^EAUTH\b/.test(error ?? '')) return 'The mail server rejects the login.';
  return "The mail server isn't accepting them yet.";
}

/** Messages of the mail page and of the alarm about mails. */
export const mailMessages = {
  listMails: { failure: "Couldn't load emails" },
  getMail: { failure: "Couldn't load the email" },
  resendMail: { success: "We'll send the email again", failure: "Couldn't send the email again. Try again later." },
  noMails: 'No emails found.',
  noText: "You can't view this email's text. It contains a secret link, or it's no longer valid.",
  noServer: "Email isn't set up. Customers get no receipts.",
  failingServer: "No email is going out. The mail server doesn't work.",
  setUp: 'Set up email',
  notSent: 'No mail server',
  waiting: (count: number, error: string | null) =>
    `${count === 1 ? '1 email is' : `${count.toLocaleString('en-US')} emails are`} waiting. ${whyWaiting(error)}`,
  showSource: 'Show source',
} as const;

export const mailKindLabels: Record<Schema<'MailKind'>, string> = {
  order_confirmation: 'Order confirmation',
  out_for_delivery: 'Order shipped',
  refund: 'Refund',
  password_reset: 'Password reset',
  contact_received: 'Message received',
  security_notice: 'Security notice',
  message_reply: 'Reply to a message',
  email_proof: 'Confirm email',
  account_takeover: 'Claim email',
  staff_invitation: 'Invitation',
  new_order: 'New order',
  daily_orders: 'New orders of a day',
  low_stock: 'Low stock',
};

export const mailStateLabels: Record<Schema<'MailState'>, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  not_sent: 'Not sent',
  failed: 'Failed',
  cancelled: 'Canceled',
};
