import type { Schema } from './contract';

/** The sentences of the page about mails. */
export const mailSays = {
  listMails: { failure: 'Failed to fetch the mails' },
  getMail: { failure: 'Failed to fetch the mail' },
  resendMail: { success: 'The mail will be sent again', failure: 'Failed to send the mail again' },
  noMails: 'No mails found.',
  noText: 'The words of this mail are not shown: it has a secret in it, or there is nothing to tell any more.',
} as const;

export const mailKindLabels: Record<Schema<'MailKind'>, string> = {
  order_confirmation: 'Order confirmation',
  out_for_delivery: 'Out for delivery',
  refund: 'Refund',
  password_reset: 'Password reset',
  contact_received: 'Message received',
  security_notice: 'Security notice',
  message_reply: 'Reply to a message',
  email_proof: 'Confirm email address',
  account_takeover: 'Take over an address',
};

export const mailStateLabels: Record<Schema<'MailState'>, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
