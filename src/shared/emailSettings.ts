/** Messages of the page Settings, Email. */
import type { Schema } from './contract';
import { countOf } from './counts';

export const emailSettingsMessages = {
  getEmailSettings: { success: 'Email settings', failure: "Couldn't load the email settings" },
  setEmailSettings: { success: 'Email settings saved', failure: "Couldn't save the email settings. Try again." },
  removeMailServer: {
    success: 'Mail server removed',
    failure: "Couldn't remove the mail server. Try again.",
  },
  sendTestEmail: { success: 'Test email', failure: "Couldn't send the test email. Try again." },
  fixed: "SMTP_URL sets the mail server, so it can't be changed here.",
  noServer: 'Set up a mail server first',
  passwordAgain: 'Enter the password for this server and username',
  keepPassword: 'Leave blank to keep the saved password.',
  loginHint: 'Leave blank if the server needs no login.',
  yourPassword: 'Changing the mail server takes your own password.',
  removeAsks:
    "Until you set one up again, no email goes out: no receipts, and no links to reset a password. Emails that are waiting won't be sent.",
  working: 'The mail server works.',
  testSent: (to: string) => `Sent. Check ${to}.`,
  testRefused: 'The test email was not sent.',
  serverSaid: (response: string) => `The mail server answered: ${response}`,
} as const;

/** Why no email goes out, and what becomes of those that wait. */
export function failingInWords({ failure, waiting }: Pick<Schema<'EmailSettings'>, 'failure' | 'waiting'>): string {
  const why = failure ? mailFailures[failure.reason] : '';
  const rest = waiting === 0 ? '' : ` ${countOf(waiting, 'email')} will go out once this works.`;
  return `${why}${rest}`;
}

type Failure = Schema<'MailServerFailure'>;

/** Why no email goes out, in words. */
export const mailFailures: Record<Failure['reason'], string> = {
  unreachable: "We can't reach the mail server.",
  slow: "The mail server doesn't answer.",
  security: "We can't get a secure connection to the mail server.",
  login: 'The mail server rejects the username or password.',
  sender: "The mail server doesn't accept the sender address.",
  password: "We can't read the saved password anymore. Enter it again.",
  refused: 'The mail server rejects the connection.',
};

export const securityLabels: Record<Schema<'MailSecurity'>, string> = {
  starttls: 'STARTTLS',
  tls: 'TLS',
  none: 'None',
};
/** The usual port of each. */
export const usualPorts: Record<Schema<'MailSecurity'>, number> = { starttls: 587, tls: 465, none: 25 };
