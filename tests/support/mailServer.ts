/** A real mail server for tests. */
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificate, key } from './localhostCertificate';

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export type NewMailServer = {
  /** Default none. */
  security?: 'none' | 'starttls' | 'tls';
  /** The login it requires; without one it takes mail from everyone. */
  login?: { user: string; password: string };
  port?: number;
  /** Milliseconds until it answers a message. */
  answersAfterMs?: number;
  /** Takes messages, but never answers. */
  hangs?: boolean;
};

/** A real SMTP server that keeps what it received. What it refuses is set from outside. */
export async function startMailServer({ security = 'none', login, port = 0, ...how }: NewMailServer = {}) {
  const { answersAfterMs = 0 } = how;
  let { hangs = false } = how;
  const received: { to: string[]; source: string; isEncrypted: boolean; user: string | undefined }[] = [];
  const attempts: string[] = [];
  let rejection: { responseCode: number } | undefined;
  let senderRejection: { responseCode: number } | undefined;
  let greylisted: Set<string> | undefined;
  const rejected = (fields: object) => Object.assign(new Error('not today'), fields);
  const options: SMTPServerOptions = {
    secure: security === 'tls',
    hideSTARTTLS: security === 'none',
    ...(security !== 'none' && { key, cert: certificate }),
    authOptional: !login,
    allowInsecureAuth: true,
    ...(!login && { disabledCommands: ['AUTH'] }),
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : done(Object.assign(new Error(`wrong password ${password}`), { responseCode: 535 })),
    onMailFrom: (_address, _session, done) => done(senderRejection && rejected(senderRejection)),
    onRcptTo: ({ address }, _session, done) => {
      attempts.push(address);
      if (greylisted && !greylisted.has(address)) {
        greylisted.add(address);
        return done(rejected({ responseCode: 450 }));
      }
      done(rejection && rejected(rejection));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (hangs) return;
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString(),
          isEncrypted: session.secure,
          user: session.user,
        });
        setTimeout(done, answersAfterMs);
      });
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined); // a client that rejects the certificate
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.server.address();
  const itsPort = typeof address === 'object' && address ? address.port : 0;
  return {
    port: itsPort,
    url: `smtp://127.0.0.1:${itsPort}`,
    received,
    /** Each recipient that a client named, also of mails that were refused. */
    attempts,
    refuseWith: (responseCode: number | undefined) => (rejection = responseCode ? { responseCode } : undefined),
    refuseSenderWith: (responseCode: number | undefined) =>
      (senderRejection = responseCode ? { responseCode } : undefined),
    hang: (isHanging: boolean) => (hangs = isHanging),
    /** Refuses the first mail to each recipient for now. */
    greylist: () => (greylisted = new Set()),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
