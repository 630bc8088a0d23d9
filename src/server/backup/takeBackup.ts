/**
 * Takes a backup while the shop runs: all tables are read in one database snapshot, so the data is consistent and no
 * one has to wait.
 *
 * Pictures have names derived from their content and are written before the row that names them, so copying them after
 * the snapshot is enough. Uploads disappear once they are processed, and avatars once they are replaced, so these are
 * copied before the snapshot, and those added meanwhile after it.
 */
import { StartError } from '../core/startError';
import { mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Client, type ClientBase, type ClientConfig } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { asOwner } from '../db/roles/appRole';
import { secretKinds } from '../mail/secretKinds';
import { isMade, isUnfinished, type PictureStore, type PictureFolder } from '../pictures/files';
import { openFolderStore } from '../pictures/folderStore';
import { inParallel } from './inParallel';
import { readJobs } from './jobs';
import { format, writeManifest, writePart, type Manifest, type Part, type TablePart } from './manifest';
import { copyText, inPublic, listTables, readMigrations, readSequences, type Table } from './tables';

export type BackupOptions = {
  /** A connection that may hold a session, as the owner of the tables. */
  direct: ClientConfig;
  dataDir: string;
  pictureStore: PictureStore;
  /** The backup's folder; must not exist yet. */
  folder: string;
  cause?: Manifest['cause'];
  /** Stops before the disk has less space than this, which the shop needs to go on selling. */
  reserveBytes?: number;
};

const compression = { level: 3 }; // of 9: level 6 takes twice the time for a tenth less

/** @throws an error when `folder` exists already, or the database has no shop */
export async function takeBackup({ direct, folder, ...options }: BackupOptions): Promise<Manifest> {
  if (await stat(folder).catch(() => undefined)) throw new StartError(`${folder} already exists`);
  const draft = `${folder}.part`;
  await rm(draft, { recursive: true, force: true }); // left by an interrupted backup
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const client = new Client({ ...direct, application_name: 'backup' });
  client.on('error', () => undefined); // the running query reports the error
  try {
    await client.connect();
    const manifest = await copyShop(client, options, draft);
    await writeManifest(draft, manifest);
    await rename(draft, folder);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end().catch(() => undefined); // the connection may be lost
  }
}

type Sources = Omit<BackupOptions, 'direct' | 'folder'>;

async function copyShop(client: ClientBase, options: Sources, folder: string): Promise<Manifest> {
  const { dataDir, pictureStore, cause, reserveBytes = 0 } = options;
  const draft: Draft = { folder, reserveBytes };
  const shortLived = [folderOf(pictureStore, 'uploads'), folderOf(pictureStore, 'portraits')];
  const before = await copyPictureFolders(shortLived, draft);
  const moment = await openSnapshot(client);
  const known = new Set(before.map(({ file }) => file));
  const meanwhile = await copyPictureFolders(shortLived, draft, (file) => !known.has(file));
  const jobs = await readJobs(client);
  const tables = await copyTables(client, await listTables(client), draft);
  const shop = { migrations: await readMigrations(client), sequences: await readSequences(client) };
  const mails = await client.query<{ id: string }>(`select id from mails where state = 'sent' and not kind = any($1)`, [
    secretKinds,
  ]);
  await client.query('commit');
  const sent = new Set(mails.rows.map(({ id }) => `mails/${id}.eml`));
  const pictures = await copyFiles(folderOf(pictureStore, 'pictures'), draft);
  // pictures of the demo catalog stay in the folder
  const others = pictureStore.isRemote
    ? await copyFiles(folderOf(openFolderStore(dataDir), 'pictures'), draft, isDemoPicture)
    : [];
  const mailFiles = await copyFiles(mailsOf(dataDir), draft, (file) => sent.has(file));
  const jobsPart = await writeTo(draft, 'jobs.json', () => Readable.from([JSON.stringify(jobs)]));
  return {
    format,
    ...(cause && { cause }),
    ...moment,
    ...shop,
    tables,
    jobs: { ...jobsPart, count: jobs.length },
    files: [...before, ...meanwhile, ...pictures, ...others, ...mailFiles],
  };
}

type Draft = { folder: string; reserveBytes: number };

/** @param open called once there is space: a copy that is never read would end with an error of its own */
async function writeTo(
  { folder, reserveBytes }: Draft,
  file: string,
  open: () => Readable,
  steps: Transform[] = [],
): Promise<Part> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < reserveBytes)
    throw Object.assign(new StartError('The disk has too little space for a backup'), { code: 'ENOSPC' });
  return writePart(folder, file, open(), steps);
}

/** Locks before the first query of the snapshot, so that no migration can change a table in between. */
async function openSnapshot(client: ClientBase): Promise<{ madeAt: string; postgres: string }> {
  await asOwner(client);
  await client.query('set statement_timeout = 0');
  await client.query('set idle_in_transaction_session_timeout = 0');
  const tables = await listTables(client);
  if (tables.length === 0) throw new StartError("The database doesn't have a shop yet");
  await client.query('begin isolation level repeatable read read only');
  await client.query(`lock table ${tables.map(({ name }) => inPublic(name)).join(', ')} in access share mode`);
  const { rows } = await client.query<{ madeAt: Date; postgres: string }>(
    `select clock_timestamp() as "madeAt", current_setting('server_version') as postgres`,
  );
  const [{ madeAt, postgres } = { madeAt: new Date(), postgres: '' }] = rows;
  return { madeAt: madeAt.toISOString(), postgres };
}

async function copyTables(client: ClientBase, tables: readonly Table[], draft: Draft): Promise<TablePart[]> {
  const parts: TablePart[] = [];
  for (const table of tables) {
    const rows = copyTo(`${copyText(table)} to stdout`);
    rows.on('error', () => undefined); // also reported after the pipeline has failed, when the connection closes
    const part = await writeTo(draft, `database/${table.name}.copy.gz`, () => client.query(rows), [
      createGzip(compression),
    ]);
    parts.push({ ...table, rows: rows.rowCount, ...part });
  }
  return parts;
}

/** A group of files, with their paths below DATA_DIR. */
type Source = {
  list: () => Promise<string[]>;
  /** @returns undefined when it was deleted since the listing */
  read: (file: string) => Promise<Buffer | undefined>;
};

const folderOf = (store: PictureStore, room: PictureFolder): Source => ({
  list: async () => (await store.list(room)).map((name) => `${room}/${name}`),
  read: (file) => store.read(room, path.basename(file)),
});

const mailsOf = (dataDir: string): Source => ({
  async list() {
    const names = await readdir(path.join(dataDir, 'mails')).catch(() => []); // may not exist yet
    return names.map((name) => `mails/${name}`);
  },
  read: (file) =>
    readFile(path.join(dataDir, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }),
});

async function copyPictureFolders(
  from: readonly Source[],
  to: Draft,
  isWanted?: (file: string) => boolean,
): Promise<Part[]> {
  const parts: Part[] = [];
  for (const source of from) parts.push(...(await copyFiles(source, to, isWanted)));
  return parts;
}

const isDemoPicture = (file: string): boolean => !isMade(path.basename(file));

async function copyFiles(
  { list, read }: Source,
  to: Draft,
  isWanted: (file: string) => boolean = () => true,
): Promise<Part[]> {
  const files = (await list()).filter((file) => !isUnfinished(file) && isWanted(file));
  const parts: Part[] = [];
  await inParallel(files, async (file) => {
    const bytes = await read(file);
    if (bytes) parts.push(await writeTo(to, file, () => Readable.from([bytes])));
  });
  return parts.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}
