/** Delivers mails: by SMTP_URL or, without it, as files under DATA_DIR/mails that the owner can open. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { createTransport, Transporter } from 'nodemailer';
import { isEmailAddress } from '../../shared/emailAddress';
import { defaultSettings } from '../../shared/settings';
import { renderHtml, renderText, singleLine, type EmailContent, type Sender } from './render';

export type Message = { mailId: string; recipient: string; letter: EmailContent; sender: Sender; date: Date };

export type Mailer = {
  /** False without a mail server: mails then become files. */
  delivers: boolean;
  send: (message: Message) => Promise<void>;
  /** @returns the mail's file as written; undefined if it does not exist, as with an SMTP server */
  read: (mailId: string) => Promise<string | undefined>;
};

export type MailerOptions = {
  smtpUrl: string | undefined;
  /** The address of MAIL_FROM. The sender's name is the shop's name in the settings. */
  from: string;
  /** For the files. */
  folder: string;
};

/** The address or the message was rejected permanently, so a retry is pointless. */
export class MailRefused extends Error {}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const noOutsideData = { disableFileAccess: true, disableUrlAccess: true };

export function openMailer({ smtpUrl, from, folder }: MailerOptions): Mailer {
  return smtpUrl === undefined ? mailToFiles(from, folder) : mailBySmtp(from, smtpUrl);
}

function mailBySmtp(from: string, url: string): Mailer {
  const transport = onFirstUse(({ createTransport }) => createTransport({ url, ...timeouts, ...noOutsideData }));
  return {
    delivers: true,
    async send(message) {
      try {
        const transporter = await transport();
        await transporter.sendMail(compose(from, message));
      } catch (error) {
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
        const isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
        throw isFinal ? new MailRefused(`the email was rejected (${responseCode})`, { cause: error }) : error;
      }
    },
    read: async () => undefined,
  };
}

function mailToFiles(from: string, folder: string): Mailer {
  const toMemory = { streamTransport: true, buffer: true, newline: 'windows' } as const;
  const transport = onFirstUse(({ createTransport }) => createTransport(toMemory, noOutsideData));
  const fileOf = (mailId: string) => path.join(folder, `${mailId}.eml`);
  return {
    delivers: false,
    async send(message) {
      const transporter = await transport();
      const { message: source } = await transporter.sendMail(compose(from, message));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // write to a temporary name first, so that the file never exists half-written
      const file = fileOf(message.mailId);
      await writeFile(`${file}.part`, source as Buffer, { mode: 0o600, flush: true });
      await rename(`${file}.part`, file);
    },
    read: (mailId) => readFile(fileOf(mailId), 'utf8').catch(() => undefined),
  };
}

type Library = { createTransport: typeof createTransport };

/**
 * Loads nodemailer with the first mail, since it would add a tenth to the server's startup; retries after a failure.
 */
function onFirstUse<T extends Transporter<unknown>>(make: (library: Library) => T): () => Promise<T> {
  let made: T | undefined;
  return async () => (made ??= make(await import('nodemailer')));
}

/**
 * A single recipient, whatever the address contains; the same Message-ID on each attempt, so duplicates are detectable.
 */
function compose(from: string, { mailId, recipient, letter, sender, date }: Message) {
  const host = /@([\w.-]+)$/.exec(from)?.[1] ?? 'localhost';
  const replyTo = letter.replyTo ?? (sender.email === defaultSettings.contactEmail ? undefined : sender.email);
  return {
    from: { name: singleLine(sender.name), address: from },
    to: asAddress(recipient),
    ...(replyTo !== undefined && { replyTo: asAddress(replyTo) }), // the sample contact email has no reader
    subject: singleLine(letter.subject),
    text: renderText(letter, sender),
    html: renderHtml(letter, sender),
    messageId: `<${mailId}@${host}>`,
    date,
    ...(!letter.isWrittenByHand && { headers: { 'Auto-Submitted': 'auto-generated' } }),
  };
}

function asAddress(address: string) {
  if (!isEmailAddress(address)) throw new MailRefused("the address can't receive email");
  return { name: '', address };
}
