/** The checks of the health page, one function each. Rule: docs/rules/back-office.md, Health */
import { and, count, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { statfs } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { mailFailures } from '../../shared/emailSettings';
import { findings, type Finding, type HealthCheck } from '../../shared/health';
import { mailMessages } from '../../shared/mail';
import { exampleContact } from '../../shared/settings';
import { version } from '../../shared/version';
import { readBackupHealth } from '../backup/alarms';
import type { Secrets } from '../auth/core/secrets';
import type { Config } from '../core/config';
import type { Connection } from '../db/core/transact';
import { decryptSecret } from '../auth/factors/secondFactor';
import { alarms, mails, users } from '../db/schema/tables';
import type { Mailer } from '../mail/mailer';
import { readServerState } from '../mail/serverState';
import type { Payments } from '../payments/provider';
import { readLastWebhook } from '../payments/webhookWatch';
import type { SettingsCache } from '../settings/service';

export type HealthParts = {
  config: Pick<Config, 'publicUrl' | 'dataDir'>;
  settings: SettingsCache;
  payments: Pick<Payments, 'isLive'>;
  mail: { mailer: Pick<Mailer, 'fixed'> };
  secrets: Pick<Secrets, 'factorKeys'>;
};
type Asked = HealthParts & { db: Connection; now: Date };

const dayMs = 86_400_000;

/** In the order of the page. */
export const checks: Record<HealthCheck['check'], (asked: Asked) => Promise<Finding>> = {
  payments: comparePayments,
  provider: findProvider,
  mail: findMails,
  details: findMissing,
  address: async ({ config }) => findings.address(config.publicUrl),
  disk: findSpace,
  database: findDatabase,
  backup: findBackup,
  twoStepLogin: countFactors,
  version: findVersion,
};

/** Orders paid in the last 30 days, and sessions that say so, whose amounts or states disagree. */
async function comparePayments({ db, now }: Asked): Promise<Finding> {
  const since = new Date(now.getTime() - 30 * dayMs).toISOString();
  const { rows } = await db.execute<{ orders: string; differing: string[] | null }>(sql`
    select count(*) filter (where paid_at is not null) as orders,
        array_agg(order_number order by order_number) filter (where
          (paid_at is null and sessions.state = 'paid') or (paid_at is not null and
            (sessions.state not in ('paid', 'refunded') or amount_cents is distinct from total_cents))) as differing
      from orders left join payment_sessions as sessions on order_id = orders.id
      where paid_at >= ${since}::timestamptz
        or (paid_at is null and sessions.state = 'paid' and sessions.created_at >= ${since}::timestamptz)`);
  return findings.payments({ orders: Number(rows[0]?.orders ?? 0), differing: rows[0]?.differing ?? [] });
}

async function findProvider({ db, now, payments }: Asked): Promise<Finding> {
  const heard = await readLastWebhook(db);
  const expired = new Date(now.getTime() - 15 * 60_000).toISOString();
  const { rows } = await db.execute<{ overdue: string }>(sql`
    select count(*) as overdue from payment_sessions
      where state in ('creating', 'open') and expires_at < ${expired}::timestamptz`);
  const open = await db
    .select({ detail: alarms.detail })
    .from(alarms)
    .where(and(isNull(alarms.settledAt), inArray(alarms.kind, ['payment_key_refused', 'webhook_silent'])));
  return findings.provider({
    isLive: payments.isLive,
    heardMsAgo: heard && now.getTime() - heard.getTime(),
    lookedUp: Number(rows[0]?.overdue ?? 0),
    alarms: open.map(({ detail }) => detail),
  });
}

async function findMails({ db, now, mail }: Asked): Promise<Finding> {
  const { state, failure } = await readServerState(db, mail.mailer);
  const since = (ms: number) => new Date(now.getTime() - ms);
  const [open] = await db
    .select({ detail: alarms.detail })
    .from(alarms)
    .where(and(isNull(alarms.settledAt), eq(alarms.kind, 'mail_waiting')));
  const [failed] = await db
    .select({ mails: count() })
    .from(mails)
    .where(and(eq(mails.state, 'failed'), gt(mails.createdAt, since(7 * dayMs))));
  const [sent] = await db
    .select({ mails: count() })
    .from(mails)
    .where(and(eq(mails.state, 'sent'), gt(mails.createdAt, since(dayMs))));
  return findings.mail({
    trouble: state === 'none' ? `${mailMessages.setUp} in Settings.` : failure && mailFailures[failure.reason],
    waiting: open?.detail,
    failed: failed?.mails ?? 0,
    sent: sent?.mails ?? 0,
  });
}

async function findMissing({ settings }: Asked): Promise<Finding> {
  const { deliveryMethods, taxRates } = await settings.checkout();
  const own = await settings.get();
  return findings.details([
    ...(exampleContact(own) === undefined ? [] : ['your contact info']),
    ...(deliveryMethods.length > 0 ? [] : ['delivery']),
    ...(taxRates.length > 0 || own.collectsNoTax ? [] : ['sales tax']),
  ]);
}

/** Of the shop's folder, with pictures and the built-in database. */
async function findSpace({ config }: Asked): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  return findings.disk({ free: bavail * bsize, total: blocks * bsize });
}

async function findDatabase({ db }: Asked): Promise<Finding> {
  const began = performance.now();
  const { rows } = await db.execute<{ bytes: string }>(sql`select pg_database_size(current_database()) as bytes`);
  return findings.database({ ms: performance.now() - began, bytes: Number(rows[0]?.bytes ?? 0) });
}

async function findBackup({ db, now }: Asked): Promise<Finding> {
  const { isOn, isOverdue, lastGoodAt } = await readBackupHealth(db, now);
  return findings.backup({ isOn, isOverdue, agoMs: lastGoodAt && now.getTime() - lastGoodAt.getTime() });
}

/** After a restore without the key file, or with another SESSION_SECRET, the stored secrets can't be decrypted. */
async function countFactors({ db, secrets: { factorKeys } }: Asked): Promise<Finding> {
  const rows = await db
    .select({ id: users.id, totpSecret: users.totpSecret })
    .from(users)
    .where(and(isNotNull(users.totpSecret), isNotNull(users.totpConfirmedAt)));
  const unreadable = rows.filter(({ id, totpSecret }) => totpSecret && !decryptSecret(totpSecret, id, factorKeys));
  return findings.twoStepLogin({ users: rows.length, unreadable: unreadable.length });
}

async function findVersion({ now, settings }: Asked): Promise<Finding> {
  const { timeZone } = await settings.get();
  const started = new Date(now.getTime() - process.uptime() * 1000);
  const day = started.toLocaleDateString('en-US', { timeZone, dateStyle: 'medium' });
  return { sentence: `${version}, started ${day}.` };
}
