/** A connection to a mail server. Its errors never contain the password. */
import type { createTransport, SendMailOptions } from 'nodemailer';
import type { MailServer } from './mailServer';

export type Smtp = {
  /** @returns the server's answer, such as '250 2.0.0 Ok' */
  send: (mail: SendMailOptions) => Promise<string>;
  /** Connects, and logs in if there is a login. */
  check: () => Promise<void>;
};
/** In milliseconds. `socketTimeout` is the longest silence, `deadline` the longest time for a whole email. */
export type SmtpLimits = {
  connectionTimeout: number;
  greetingTimeout: number;
  socketTimeout: number;
  deadline: number;
};
type Extras = {
  limits?: SmtpLimits | undefined;
  /** A certificate authority to trust besides the usual ones, for tests. */
  ca?: string | undefined;
};

/**
 * A server may check a message for a while before it accepts it. A sender that gives up earlier sends it again, so it
 * arrives twice. RFC 5321, 4.5.3.2.6, allows ten minutes, but a server that hangs would hold a job that long.
 */
const usualLimits: SmtpLimits = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
  deadline: 100_000,
};
const noOutsideData = { disableFileAccess: true, disableUrlAccess: true };

/** @param url SMTP_URL: the library reads it, so it may contain the library's options */
export const smtpByUrl = (url: string, extras: Extras): Smtp =>
  connectWith({ url }, secretsOf(readSmtpUrl(url, '')), extras);

export function smtpTo({ host, port, security, user, password = '', sender }: MailServer, extras: Extras): Smtp {
  const server = {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user && { auth: { user, pass: password } }),
  };
  return connectWith(server, secretsOf({ host, port, security, user, password, sender }), extras);
}

/** @returns what SMTP_URL says, to show it */
export function readSmtpUrl(text: string, sender: string): MailServer {
  const url = new URL(text);
  const isTls = url.protocol === 'smtps:' || url.port === '465' || url.searchParams.get('secure') === 'true';
  return {
    host: url.hostname,
    port: Number(url.port) || (isTls ? 465 : 587),
    security: isTls ? 'tls' : url.searchParams.get('ignoreTLS') === 'true' ? 'none' : 'starttls',
    user: plainText(url.username) || undefined,
    password: plainText(url.password) || undefined,
    sender,
  };
}

function connectWith(server: object, secrets: readonly string[], { limits = usualLimits, ca }: Extras): Smtp {
  const { deadline, ...timeouts } = limits;
  const options = { ...server, ...timeouts, ...noOutsideData, ...(ca !== undefined && { tls: { ca } }) };
  const open = async () => {
    const { createTransport }: Library = await import('nodemailer'); // with the first mail: it would slow the start down
    return createTransport(options);
  };
  const withoutPassword = (error: unknown): never => {
    throw hideSecrets(error, secrets);
  };
  return {
    send: async (mail) => {
      const transport = await open();
      const { response } = await transport
        .sendMail({ ...mail, signal: AbortSignal.timeout(deadline) })
        .catch(withoutPassword);
      return hidden(response, secrets);
    },
    check: async () => {
      const transport = await open();
      await transport.verify().catch(withoutPassword);
    },
  };
}

type Library = { createTransport: typeof createTransport };

/** The password in each form in which a server could repeat it. */
function secretsOf({ user = '', password }: MailServer): string[] {
  if (!password) return [];
  const inBase64 = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'));
  return [...inBase64, encodeURIComponent(password), password];
}

function hideSecrets(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof Error)) return error;
  error.message = hidden(error.message, secrets);
  if (error.stack) error.stack = hidden(error.stack, secrets);
  if ('response' in error && typeof error.response === 'string') error.response = hidden(error.response, secrets);
  return error;
}

const hidden = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);

/** As the library reads it: a percent sign that encodes nothing stands for itself. */
function plainText(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
