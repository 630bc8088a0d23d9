import type { Schema } from './contract';

/** @param error why the last attempt failed, such as `ESOCKET: connect …` */
function whyWaiting(error: string | null): string {
  if (/^(?:ECONN\w*|ESOCKET|ETIMEDOUT|EDNS)\b/.test(error ?? '')) return "The mail server can't be reached.";
  if (/^EAUTH\b/.test(error ?? '')) return 'The mail server refuses the login of SMTP_URL.';
  return "The mail server doesn't take them yet.";
}

/** Messages of the mail page and of the alarm about mails. */
export const mailMessages = {
  listMails: { failure: "Couldn't load emails" },
  getMail: { failure: "Couldn't load the email" },
  resendMail: { success: "We'll send the email again", failure: "Couldn't send the email again. Try again later." },
  noMails: 'No emails found.',
  noText:
    'This email has a private link that only its recipient may open, or there is nothing to say anymore, so it is not shown.',
  noServer: 'No email leaves the shop, because there is no mail server. Set SMTP_URL and restart the shop.',
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
};

export const mailStateLabels: Record<Schema<'MailState'>, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  not_sent: 'Not sent',
  failed: 'Failed',
  cancelled: 'Canceled',
};
