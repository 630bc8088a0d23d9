import { stat } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { backupDamaged, backupFailures, backupMessages as messages, defaultSchedule } from '../../shared/backups';
import type { BackupSchedule } from '../../shared/backups';
import type { Schema } from '../../shared/contract';
import { changed, writeAudit } from '../audit/service';
import { sendNotice } from '../auth/core/notices';
import type { AuthParts } from '../auth/service';
import { codeInvalid, type Change } from '../auth/secondFactorSetup';
import { proveOwn, requireOwnProof, type OwnProof } from '../auth/ownProof';
import type { Secrets } from '../auth/core/secrets';
import { findUser } from '../users/core/service';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor, Session } from '../http/contract/access';
import { conflict, notFound } from '../http/core/problems';
import { makeDownloadLink, type DownloadLink } from './downloadLinks';
import { folderOf, readPlaceId } from './folders';
import {
  addBackup,
  findBackup,
  findBackups,
  findSchedule,
  saveSchedule,
  type BackupRow,
  type Schedule,
} from './repository';

type By = { by: Actor; now: Date };
type Listed = BackupRow & { startedByName: string | null };

/** @param dataDir of this process */
export async function listBackups(connection: Connection, dataDir: string): Promise<Schema<'Backup'>[]> {
  const place = await readPlaceId(dataDir);
  return (await findBackups(connection)).map((row) => present(row, { place, dataDir }));
}

export async function readSchedule(connection: Connection): Promise<BackupSchedule> {
  return toSchedule(await findSchedule(connection));
}

const toSchedule = (schedule: Schedule | undefined): BackupSchedule => {
  const { isOn, hour, days, weeks } = schedule ?? defaultSchedule;
  return { isOn, hour, days, weeks };
};

/** @throws Problem 409 backup_running */
export async function startBackup(tx: Tx, dataDir: string, { by, now }: By): Promise<Schema<'Backup'>> {
  const row = await addBackup(tx, { cause: 'asked', startedBy: by.userId, now });
  if (!row) throw conflict('backup_running', messages.isRunning);
  await tx.execute(sql`select graphile_worker.add_job('runBackups', '{}', job_key := 'runBackups', max_attempts := 1)`);
  await writeAudit(tx, { by, action: 'backup.started', target: { kind: 'backup', id: row.id }, now });
  const [listed] = await findBackups(tx);
  return present(listed ?? { ...row, startedByName: null }, { place: await readPlaceId(dataDir), dataDir });
}

export async function setBackups(tx: Tx, schedule: BackupSchedule, { by, now }: By): Promise<BackupSchedule> {
  const stored = await findSchedule(tx);
  const facts = changed(factsOf(toSchedule(stored)), factsOf(schedule));
  if (!facts) return schedule;
  // after a pause, the next backup is due at the next hour of the schedule
  const since = stored?.isOn ? stored.since : now;
  await saveSchedule(tx, schedule, since);
  await writeAudit(tx, { by, action: 'setting.changed', target: { kind: 'setting', id: 'backups' }, ...facts, now });
  return schedule;
}

/** As the audit log names them. */
const factsOf = ({ isOn, hour, days, weeks }: BackupSchedule) => ({
  nightlyBackup: isOn ? 'on' : 'off',
  backupHour: hour,
  daysKept: days,
  weeksKept: weeks,
});

export type DownloadParts = AuthParts & { dataDir: string };

/**
 * Proves who asks, before any transaction: a failed attempt must count even after a rollback.
 * @throws Problem 400 wrong_password or wrong_code, 404 backup_not_found, 409 backup_not_here, 429 too_many_attempts
 */
export async function prepareBackupDownload(
  parts: DownloadParts,
  backupId: string,
  proof: Schema<'BackupProof'>,
  change: Change,
): Promise<OwnProof> {
  await requireFolder(parts.db, parts.dataDir, backupId);
  const user = await findUser(parts.db, change.session.userId);
  if (!user) throw notFound();
  if (user.totpConfirmedAt && !proof.otp?.trim()) throw codeInvalid();
  return proveOwn(parts, user, proof, change);
}

/** @returns a link that works for a minute */
export async function openBackupDownload(
  tx: Tx,
  proof: OwnProof,
  link: DownloadLink,
  { userId, downloadKey, by, now }: By & Pick<Session, 'userId'> & Pick<Secrets, 'downloadKey'>,
): Promise<Schema<'BackupLink'>> {
  const user = await requireOwnProof(tx, userId, proof);
  await sendNotice(tx, user, { what: 'backup_downloaded' }, now);
  await writeAudit(tx, { by, action: 'backup.downloaded', target: { kind: 'backup', id: link.backupId }, now });
  const { url, expiresAt } = makeDownloadLink(link, downloadKey, now);
  return { url, expiresAt: expiresAt.toISOString() };
}

/**
 * @returns the folder of a backup on this machine
 * @throws Problem 404 backup_not_found, 409 backup_not_here
 */
export async function requireFolder(connection: Connection, dataDir: string, id: string): Promise<string> {
  const row = await findBackup(connection, id);
  if (!row?.name || !['good', 'damaged'].includes(row.state)) throw notFound('backup_not_found', messages.notFound);
  const folder = folderOf(dataDir, row.name);
  const isHere = row.place === (await readPlaceId(dataDir)) && (await stat(folder).catch(() => undefined));
  if (!isHere) throw conflict('backup_not_here', messages.notHere);
  return folder;
}

function present(row: Listed, { place, dataDir }: { place: string; dataDir: string }): Schema<'Backup'> {
  const { id, state, cause, startedByName, startedAt, finishedAt, bytes, verifiedAt, name, failure } = row;
  const exists = state === 'good' || state === 'damaged';
  const isHere = exists && row.place === place;
  const problem = state === 'damaged' ? backupDamaged : state === 'failed' ? backupFailures[failure ?? 'other'] : null;
  return {
    id,
    state,
    cause,
    startedBy: startedByName,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    bytes,
    isVerified: state === 'good' && verifiedAt !== null,
    verifiedAt: verifiedAt?.toISOString() ?? null,
    isHere,
    folder: isHere && name !== null ? folderOf(dataDir, name) : null,
    problem,
  };
}
