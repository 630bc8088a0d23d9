/**
 * Restores a shop from a backup, only into an empty target. The whole backup is verified before anything is written. An
 * embedded database is built under a temporary name in DATA_DIR and renamed at the end, so an interrupted restore
 * leaves no shop behind.
 */
import { StartError } from '../core/startError';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClientBase, ClientConfig } from 'pg';
import { openClient } from '../db/core/openClient';
import { asOwner } from '../db/roles/appRole';
import { migrateDatabase, prepareJobs } from '../db/open';
import { startEmbeddedPostgres } from '../db/embedded/embeddedPostgres';
import { isMade, pictureFolders, type PictureStore, type PictureFolder } from '../pictures/files';
import { inParallel } from './inParallel';
import { loadRows } from './loadRows';
import { requireWhole, type Manifest } from './manifest';
import { hasTable } from './tables';

export type RestoreOptions = {
  /** The backup's folder. */
  folder: string;
  dataDir: string;
  pictureStore: PictureStore;
  /** An empty external database; undefined creates an embedded one in `dataDir`. */
  direct: ClientConfig | undefined;
  /** The shop's migrations. */
  migrations: string;
};

/** The shop's own folders in DATA_DIR, without the test provider's. */
const shopFolders = [...pictureFolders, 'mails', 'postgres'];

/**
 * The restored queue holds a job that fetches the payment events since the backup once the shop starts.
 * @throws an error when the target is not empty, or the backup is damaged or from a newer shop; nothing is changed then
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { folder, dataDir, pictureStore, direct, migrations } = options;
  const manifest = await requireWhole(folder);
  const journal = await readJournal(migrations);
  const known = new Set(journal.entries.map(({ when }) => when));
  if (manifest.migrations.some((when) => !known.has(when)))
    throw new StartError(
      'The backup was made by a newer or unreleased version of the shop. Restore it with that version',
    );
  await requireEmptyFolder(dataDir);
  await requireEmptyBucket(pictureStore);
  const draft = path.join(dataDir, 'restore.part');
  await rm(draft, { recursive: true, force: true }); // left by an interrupted restore
  await mkdir(draft, { recursive: true });
  const former = await formerMigrations(migrations, journal, manifest);
  const bucket = openBucket(pictureStore, folder);
  try {
    const files = manifest.files.map(({ file }) => file);
    await bucket.fill(files.filter(bucket.takes));
    const local = files.filter((file) => !bucket.takes(file));
    const restore = (into: ClientConfig) => restoreDatabase(into, folder, manifest, former);
    if (direct) await restore(direct);
    else await inOwnDatabase(path.join(draft, 'postgres'), restore);
    for (const file of local) await cp(path.join(folder, file), path.join(draft, file));
    for (const name of shopFolders.filter((each) => hasFolder(local, each, direct)))
      await rename(path.join(draft, name), path.join(dataDir, name));
  } catch (error) {
    await bucket.empty();
    throw error;
  } finally {
    await rm(former, { recursive: true, force: true });
    await rm(draft, { recursive: true, force: true });
  }
  return manifest;
}

const hasFolder = (files: readonly string[], name: string, direct: ClientConfig | undefined) =>
  name === 'postgres' ? direct === undefined : files.some((file) => file.startsWith(`${name}/`));

/** Copies pictures into S3, if the shop stores them there; done before the database, whose rows name them. */
function openBucket(store: PictureStore, folder: string) {
  const written: string[] = [];
  const folderOf = (file: string) => pictureFolders.find((room) => file.startsWith(`${room}/`));
  const placeOf = (file: string): [PictureFolder, string] => [folderOf(file) ?? 'pictures', path.basename(file)];
  return {
    takes: (file: string) => {
      const room = folderOf(file);
      return store.isRemote && room !== undefined && (room !== 'pictures' || isMade(path.basename(file)));
    },
    fill: (files: readonly string[]) =>
      inParallel(files, async (file) => {
        written.push(file);
        await store.write(...placeOf(file), await readFile(path.join(folder, file)));
      }),
    /** Best effort: errors are ignored. */
    empty: () => inParallel(written, (file) => store.remove(...placeOf(file)).catch(() => undefined)),
  };
}

async function requireEmptyBucket(store: PictureStore): Promise<void> {
  if (!store.isRemote) return;
  for (const room of pictureFolders)
    if ((await store.list(room)).length > 0)
      throw new StartError(
        `S3_URL: ${room} already exist there. Restore into an empty bucket or a different folder in it`,
      );
}

async function requireEmptyFolder(dataDir: string): Promise<void> {
  const found: string[] = await readdir(dataDir).catch(() => []); // may not exist yet
  const taken = shopFolders.find((name) => found.includes(name));
  if (taken !== undefined)
    throw new StartError(
      `${dataDir} already holds a shop (${taken}). Restore into an empty folder by setting a different DATA_DIR`,
    );
}

async function inOwnDatabase(place: string, work: (direct: ClientConfig) => Promise<void>): Promise<void> {
  const { connection, stop } = await startEmbeddedPostgres(place);
  try {
    await work({ ...connection, ssl: false });
  } finally {
    await stop();
  }
}

async function restoreDatabase(direct: ClientConfig, folder: string, manifest: Manifest, migrations: string) {
  const client = await openClient({ ...direct, application_name: 'restore' });
  try {
    await asOwner(client);
    await client.query('set statement_timeout = 0');
    await requireEmptyDatabase(client);
    await migrateDatabase(direct, migrations);
    await prepareJobs(direct);
    await loadRows(client, folder, manifest);
  } finally {
    await client.end().catch(() => undefined); // the connection may be lost
  }
}

/** An interrupted restore leaves tables without rows, so a database with no users counts as empty. */
async function requireEmptyDatabase(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace limit 1`,
  );
  if (!rowCount) return;
  const isShop = await hasTable(client, 'public.users');
  if (!isShop || (await client.query('select from users limit 1')).rowCount)
    throw new StartError("DATABASE_URL: the database isn't empty. Restore into a new one");
}

type Journal = { entries: { when: number; tag: string }[] };

const readJournal = async (migrations: string) =>
  JSON.parse(await readFile(path.join(migrations, 'meta/_journal.json'), 'utf8')) as Journal;

/** The migrations that the backup had; the shop's next start applies the others, as with any older database. */
async function formerMigrations(migrations: string, journal: Journal, manifest: Manifest): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-migrations-'));
  const entries = journal.entries.filter(({ when }) => manifest.migrations.includes(when));
  await mkdir(path.join(folder, 'meta'));
  await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  for (const { tag } of entries) await cp(path.join(migrations, `${tag}.sql`), path.join(folder, `${tag}.sql`));
  return folder;
}
