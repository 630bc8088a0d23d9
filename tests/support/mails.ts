/** Mails in tests, sent by the real jobs to a real mail server. */
import { desc, eq } from 'drizzle-orm';
import { Logger, runOnce } from 'graphile-worker';
import { SMTPServer } from 'smtp-server';
import { mails } from '../../src/server/db/schema/tables';
import type { TestShop } from './shop';

const quiet = new Logger(() => () => undefined);

/** Runs every due job, as the shop's own worker would. */
export const runDueJobs = (shop: TestShop) => runOnce({ pgPool: shop.jobsPool, taskList: shop.jobs, logger: quiet });

/** The mails about an order, newest first. */
export const mailsOf = (shop: TestShop, orderId: string) =>
  shop.db.select().from(mails).where(eq(mails.orderId, orderId)).orderBy(desc(mails.createdAt));

/** The mails that an SMTP server received, and its reply: undefined accepts the mail. */
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export async function startMailServer() {
  const received: { to: string[]; source: string }[] = [];
  let rejection: { responseCode: number } | undefined;
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disabledCommands: ['AUTH'],
    onRcptTo: (_address, _session, done) => done(rejection && Object.assign(new Error('not today'), rejection)),
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString(),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuseWith: (responseCode: number | undefined) => (rejection = responseCode ? { responseCode } : undefined),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
