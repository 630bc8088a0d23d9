/** The way out: the SMTP server of SMTP_URL, or, without one, files under DATA_DIR/mails that the owner can open. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { createTransport, Transporter } from 'nodemailer';
import { isEmailAddress } from '../../shared/emailAddress';
import { defaultSettings } from '../../shared/settings';
import { renderHtml, renderText, singleLine, type Letter, type Sender } from './render';

export type Message = { mailId: string; recipient: string; letter: Letter; sender: Sender; date: Date };

export type Mailer = {
  /** Whether mails leave the shop; without a mail server they become files. */
  delivers: boolean;
  send: (message: Message) => Promise<void>;
  /** @returns the file of a mail as it was written; undefined when there is none, as with an SMTP server */
  read: (mailId: string) => Promise<string | undefined>;
};

export type MailerOptions = {
  smtpUrl: string | undefined;
  /** The address of MAIL_FROM. Mails carry the shop's name of the settings. */
  from: string;
  /** of the files */
  folder: string;
};

/** The address or the message was refused for good: trying again changes nothing. */
export class MailRefused extends Error {}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const noOutsideData = { disableFileAccess: true, disableUrlAccess: true };

export function openMailer({ smtpUrl, from, folder }: MailerOptions): Mailer {
  return smtpUrl === undefined ? mailToFiles(from, folder) : mailBySmtp(from, smtpUrl);
}

function mailBySmtp(from: string, url: string): Mailer {
  const transport = whenSending(({ createTransport }) => createTransport({ url, ...timeouts, ...noOutsideData }));
  return {
    delivers: true,
    async send(message) {
      try {
        const transporter = await transport();
        await transporter.sendMail(compose(from, message));
      } catch (error) {
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
        const isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
        throw isFinal ? new MailRefused(`the mail was refused (${responseCode})`, { cause: error }) : error;
      }
    },
    read: async () => undefined,
  };
}

function mailToFiles(from: string, folder: string): Mailer {
  const toMemory = { streamTransport: true, buffer: true, newline: 'windows' } as const;
  const transport = whenSending(({ createTransport }) => createTransport(toMemory, noOutsideData));
  const fileOf = (mailId: string) => path.join(folder, `${mailId}.eml`);
  return {
    delivers: false,
    async send(message) {
      const transporter = await transport();
      const { message: source } = await transporter.sendMail(compose(from, message));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // complete or not there: a file that is being written has another name
      const file = fileOf(message.mailId);
      await writeFile(`${file}.part`, source as Buffer, { mode: 0o600, flush: true });
      await rename(`${file}.part`, file);
    },
    read: (mailId) => readFile(fileOf(mailId), 'utf8').catch(() => undefined),
  };
}

type Library = { createTransport: typeof createTransport };

/** A tenth of what the server would read at its start, so it is read with the first mail; if that fails, with the next. */
function whenSending<T extends Transporter<unknown>>(make: (library: Library) => T): () => Promise<T> {
  let made: T | undefined;
  return async () => (made ??= make(await import('nodemailer')));
}

/** One recipient, whatever signs its address has; the same Message-ID at each try, so that a second copy can be told. */
function compose(from: string, { mailId, recipient, letter, sender, date }: Message) {
  const host = /@([\w.-]+)$/.exec(from)?.[1] ?? 'localhost';
  const replyTo = letter.replyTo ?? (sender.email === defaultSettings.contactEmail ? undefined : sender.email);
  return {
    from: { name: singleLine(sender.name), address: from },
    to: asAddress(recipient),
    ...(replyTo !== undefined && { replyTo: asAddress(replyTo) }), // nobody reads the sample's mail
    subject: singleLine(letter.subject),
    text: renderText(letter, sender),
    html: renderHtml(letter, sender),
    messageId: `<${mailId}@${host}>`,
    date,
    ...(!letter.isWrittenByHand && { headers: { 'Auto-Submitted': 'auto-generated' } }),
  };
}

function asAddress(address: string) {
  if (!isEmailAddress(address)) throw new MailRefused('the address cannot be written to');
  return { name: '', address };
}
