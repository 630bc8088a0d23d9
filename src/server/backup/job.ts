/**
 * The job that makes the shop's own backups: every night, and when the owner asks. It looks every minute, so a night that
 * no process ran is made up for by the next start. One process at a time works, under a lock that ends with its
 * connection. Rule: docs/rules/running.md, Backups by the shop
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ClientConfig } from 'pg';
import type { Clock } from '../core/clock';
import { lastDue } from '../core/lastDue';
import { openClient } from '../db/core/openClient';
import { describeFailure } from '../db/core/loggedErrors';
import type { BackupFailure } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import type { PictureStore } from '../pictures/files';
import { readShopSettings } from '../settings/service';
import { watchBackups } from './alarms';
import { folderOf, listBackupFolders, nameAt, readPlaceId, removeBackupFolder, removeDrafts } from './folders';
import { bytesOf, requireWhole } from './manifest';
import {
  addBackup,
  addFoundBackup,
  changeBackup,
  deleteBackups,
  deleteFailedBefore,
  ensureSchedule,
  findHere,
  findNewest,
  findUnfinished,
  type BackupRow,
  type Schedule,
} from './repository';
import { chooseKept } from './schedule';
import { takeBackup } from './takeBackup';

export type BackupParts = {
  db: Db;
  clock: Clock;
  pictureStore: PictureStore;
  logger: Logger;
  /** The owner's login of the database, which may read everything, and where backups are written. */
  backups: { direct: ClientConfig; dataDir: string; reserveBytes?: number };
};

const lock = 727_003;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const retryAfterMs = { failed: 60 * minuteMs, stopped: 5 * minuteMs };
const failuresForDays = 14;
/** A full disk stops sales, so a backup leaves this much. */
const plentyBytes = 64 * 1024 * 1024;

/** Makes the backup that is due or was asked for, if any. */
export async function runBackups(parts: BackupParts): Promise<void> {
  const { db, clock } = parts;
  const schedule = await ensureSchedule(db, clock.now());
  const { timeZone } = await readShopSettings(db);
  if (!(await findUnfinished(db)) && !(await isDue(db, schedule, { timeZone, now: clock.now() }))) return;
  await alone(parts.backups.direct, () => work(parts, schedule, timeZone));
}

async function alone(direct: ClientConfig, run: () => Promise<void>): Promise<void> {
  const client = await openClient({ ...direct, application_name: 'backup lock' });
  try {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [lock]);
    if (rows[0]?.isOurs) await run();
  } finally {
    await client.end().catch(() => undefined); // the connection may be lost
  }
}

/** Under the lock, no other backup runs: a row that says so was left by a process that ended. */
async function work(parts: BackupParts, schedule: Schedule, timeZone: string): Promise<void> {
  const { db, clock, backups } = parts;
  const { dataDir } = backups;
  const place = await readPlaceId(dataDir);
  let next = await findUnfinished(db);
  if (next?.state === 'running') {
    await removeDrafts(dataDir, next.name === null ? [] : [next.name]);
    await changeBackup(db, next.id, { state: 'failed', failure: 'stopped', finishedAt: clock.now() });
    await watchBackups(db, clock.now());
    next = undefined;
  }
  await findFolders(parts, place);
  if (!next && (await isDue(db, schedule, { timeZone, now: clock.now() })))
    next = await addBackup(db, { cause: 'nightly', startedBy: null, now: clock.now() });
  if (!next) return;
  const isGood = await makeBackup(parts, next, place);
  if (isGood && next.cause === 'nightly') await keepHouse(parts, place, { ...schedule, timeZone });
  await watchBackups(db, clock.now());
}

async function isDue(
  db: Db,
  { isOn, hour, since }: Schedule,
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<boolean> {
  const due = lastDue(now, hour, timeZone);
  if (!isOn || due <= since) return false;
  const good = await findNewest(db, 'good');
  if (good && good.startedAt >= due) return false;
  const last = await findNewest(db, 'finished');
  if (last?.state !== 'failed') return true;
  const afterMs = last.failure === 'stopped' ? retryAfterMs.stopped : retryAfterMs.failed;
  return now.getTime() - (last.finishedAt ?? last.startedAt).getTime() >= afterMs;
}

/** @returns whether it was written and read back */
async function makeBackup({ db, clock, logger, ...parts }: BackupParts, row: BackupRow, place: string) {
  const { direct, dataDir, reserveBytes = plentyBytes } = parts.backups;
  const startedAt = clock.now();
  const name = `${nameAt(startedAt)}-${row.id.slice(0, 4)}`;
  const folder = folderOf(dataDir, name);
  await changeBackup(db, row.id, { state: 'running', startedAt, place, name });
  try {
    const { pictureStore } = parts;
    const manifest = await takeBackup({ direct, dataDir, pictureStore, folder, cause: row.cause, reserveBytes });
    const isWhole = await isUnchanged(folder, logger);
    const verified = isWhole ? ({ state: 'good', verifiedAt: clock.now() } as const) : unreadable;
    if (!isWhole) await removeBackupFolder(dataDir, name);
    await changeBackup(db, row.id, { ...verified, bytes: bytesOf(manifest), finishedAt: clock.now() });
    return isWhole;
  } catch (error) {
    logger.error({ failure: describeFailure(error) }, 'the backup failed');
    await changeBackup(db, row.id, { state: 'failed', failure: failureOf(error), finishedAt: clock.now() });
    return false;
  }
}

const unreadable = { state: 'failed', failure: 'unreadable' } as const;

const failureOf = (error: unknown): BackupFailure =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'disk_full' : 'other';

async function isUnchanged(folder: string, logger: Logger): Promise<boolean> {
  try {
    await requireWhole(folder);
    return true;
  } catch (error) {
    logger.error({ failure: describeFailure(error) }, 'a backup is damaged');
    return false;
  }
}

/**
 * Brings the list in line with the folder: deleted folders leave it, and those that `npm run backup` made, or that were
 * there before the shop was restored, join it.
 */
async function findFolders({ db, clock, logger, backups: { dataDir } }: BackupParts, place: string): Promise<void> {
  const names = await listBackupFolders(dataDir);
  const known = await findHere(db, place);
  const gone = known.filter(({ name }) => name === null || !names.includes(name));
  await deleteBackups(
    db,
    gone.map(({ id }) => id),
  );
  for (const name of names.filter((each) => !known.some((row) => row.name === each))) {
    const manifest = await requireWhole(folderOf(dataDir, name)).catch((error: unknown) => {
      logger.error({ failure: describeFailure(error) }, 'a backup is damaged');
    });
    const startedAt = manifest ? new Date(manifest.madeAt) : timeOf(name);
    const state = manifest ? ({ state: 'good', verifiedAt: clock.now() } as const) : ({ state: 'damaged' } as const);
    const about = { cause: manifest?.cause ?? 'command', bytes: manifest ? bytesOf(manifest) : null };
    await addFoundBackup(db, { id: randomUUID(), place, name, startedAt, finishedAt: startedAt, ...about, ...state });
  }
}

/** @returns the time in a folder's name */
const timeOf = (name: string) => new Date(`${name.slice(0, 13)}:${name.slice(14, 16)}:${name.slice(17, 19)}Z`);

/**
 * Reads all kept backups back, since disks spoil files, and deletes the old ones. Only those of the schedule and those
 * asked for are deleted, never those of `npm run backup`.
 */
async function keepHouse(
  { db, clock, logger, backups: { dataDir } }: BackupParts,
  place: string,
  { days, weeks, timeZone }: Schedule & { timeZone: string },
): Promise<void> {
  const rows = (await findHere(db, place)).filter((row): row is BackupRow & { name: string } => row.name !== null);
  for (const [index, { id, name }] of rows.entries()) {
    if (index === 0) continue; // just read
    const isWhole = await isUnchanged(folderOf(dataDir, name), logger);
    await changeBackup(db, id, isWhole ? { state: 'good', verifiedAt: clock.now() } : { state: 'damaged' });
  }
  const ours = (await findHere(db, place)).filter(({ cause }) => cause !== 'command');
  const kept = chooseKept(
    ours.filter(({ state }) => state === 'good'),
    { days, weeks, timeZone },
  );
  const damagedUntil = new Date(clock.now().getTime() - days * dayMs);
  const old = ours.filter(({ id, state, startedAt }) => (state === 'good' ? !kept.has(id) : startedAt < damagedUntil));
  for (const { id, name } of old) {
    if (name !== null) await removeBackupFolder(dataDir, name);
    await deleteBackups(db, [id]);
  }
  await deleteFailedBefore(db, new Date(clock.now().getTime() - failuresForDays * dayMs));
}
