/**
 * Delivers mails: by SMTP_URL, else by the mail server in Settings, else as files under DATA_DIR/mails that the owner
 * can open. The server is looked up for each mail, so a change in Settings applies to all processes at once.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { isEmailAddress } from '../../shared/emailAddress';
import { defaultSettings } from '../../shared/settings';
import type { FoundServer, MailServer } from './mailServer';
import { logoId, renderHtml, renderText, singleLine, type EmailContent, type Sender } from './render';
import { isRefusedForGood, PasswordUnreadable } from './serverFailure';
import { readSmtpUrl, smtpByUrl, smtpTo, type Smtp, type SmtpLimits } from './smtp';

export type Message = { mailId: string; recipient: string; letter: EmailContent; sender: Sender; date: Date };

export type Mailer = {
  /** The server of SMTP_URL, which Settings can't change. */
  fixed: MailServer | undefined;
  /** MAIL_FROM: the sender's address, unless Settings has a mail server. */
  from: string;
  /** @returns the server's answer; undefined if the mail became a file */
  send: (message: Message) => Promise<string | undefined>;
  /** Sends through a server that the shop no longer uses. @returns its answer */
  sendThrough: (server: MailServer, message: Message) => Promise<string>;
  /** Connects to the server and logs in. @returns false without a server */
  check: () => Promise<boolean>;
  /** @returns the mail's file as written; undefined if it does not exist, as with a mail server */
  read: (mailId: string) => Promise<string | undefined>;
};

export type MailerOptions = {
  smtpUrl: string | undefined;
  /** The address of MAIL_FROM. The sender's name is the shop's name in the settings. */
  from: string;
  /** For the files. */
  folder: string;
  /** The mail server in Settings. */
  findSaved?: () => Promise<FoundServer | undefined>;
  limits?: SmtpLimits;
  ca?: string;
};

/** The address or the message was rejected permanently, so a retry is pointless. */
export class MailRefused extends Error {}

/** While the owner waits. */
const impatient: SmtpLimits = {
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 10_000,
  deadline: 15_000,
};

type Route = { from: string; smtp: Smtp };

export function openMailer({ smtpUrl, from, folder, findSaved, ...extras }: MailerOptions): Mailer {
  const fixed = smtpUrl === undefined ? undefined : { from, smtp: smtpByUrl(smtpUrl, extras) };
  const fileOf = (mailId: string) => path.join(folder, `${mailId}.eml`);

  async function findRoute(): Promise<Route | undefined> {
    if (fixed) return fixed;
    const saved = await findSaved?.();
    if (saved?.isUnreadable) throw new PasswordUnreadable("the mail server's password can't be read");
    return saved && { from: saved.sender, smtp: smtpTo(saved, extras) };
  }

  return {
    fixed: smtpUrl === undefined ? undefined : readSmtpUrl(smtpUrl, from),
    from,
    async send(message) {
      const route = await findRoute();
      if (!route) {
        await writeMailFile(fileOf(message.mailId), compose(from, message));
        return undefined;
      }
      const mail = compose(route.from, message);
      try {
        return await route.smtp.send(mail);
      } catch (error) {
        if (!isRefusedForGood(error)) throw error;
        const { responseCode } = error as { responseCode: number };
        throw new MailRefused(`the email was rejected (${responseCode})`, { cause: error });
      }
    },
    sendThrough: async (server, message) =>
      smtpTo(server, { ...extras, limits: impatient }).send(compose(server.sender, message)),
    async check() {
      const route = await findRoute();
      await route?.smtp.check();
      return route !== undefined;
    },
    read: (mailId) => readFile(fileOf(mailId), 'utf8').catch(() => undefined),
  };
}

async function writeMailFile(file: string, mail: SendMailOptions): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const toMemory = { streamTransport: true, buffer: true, newline: 'windows' } as const;
  const transport = createTransport(toMemory, { disableFileAccess: true, disableUrlAccess: true });
  const { message } = await transport.sendMail(mail);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // write to a temporary name first, so that the file never exists half-written
  await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flush: true });
  await rename(`${file}.part`, file);
}

/**
 * A single recipient, whatever the address contains; the same Message-ID on each attempt, so duplicates are detectable.
 */
function compose(from: string, { mailId, recipient, letter, sender, date }: Message): SendMailOptions {
  const host = /@([\w.-]+)$/.exec(from)?.[1] ?? 'localhost';
  const replyTo = letter.replyTo ?? (sender.email === defaultSettings.contactEmail ? undefined : sender.email);
  return {
    from: { name: singleLine(sender.name), address: from },
    to: asAddress(recipient),
    ...(replyTo !== undefined && { replyTo: asAddress(replyTo) }), // the sample contact email has no reader
    subject: singleLine(letter.subject),
    text: renderText(letter, sender),
    html: renderHtml(letter, sender),
    ...(sender.logo && { attachments: [inlineLogo(sender.logo)] }),
    messageId: `<${mailId}@${host}>`,
    date,
    ...(!letter.isWrittenByHand && { headers: { 'Auto-Submitted': 'auto-generated' } }),
  };
}

const inlineLogo = ({ png }: NonNullable<Sender['logo']>) => ({
  filename: 'logo.png',
  content: png,
  contentType: 'image/png',
  contentDisposition: 'inline' as const,
  cid: logoId,
});

function asAddress(address: string) {
  if (!isEmailAddress(address)) throw new MailRefused("the address can't receive email");
  return { name: '', address };
}
