/** The folder DATA_DIR/backups. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manifestFile } from './manifest';

export const backupsIn = (dataDir: string): string => path.join(dataDir, 'backups');
export const folderOf = (dataDir: string, name: string): string => path.join(backupsIn(dataDir), name);

/** The name of a backup begun at this time. */
export const nameAt = (time: Date): string => time.toISOString().slice(0, 19).replaceAll(':', '-');

const isName = (name: string) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[\w-]*$/.test(name);
const placeFile = 'place';

/** @returns the id of this folder: processes of a shop on several machines may each have their own */
export async function readPlaceId(dataDir: string): Promise<string> {
  const file = folderOf(dataDir, placeFile);
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known) return known.trim();
  await mkdir(backupsIn(dataDir), { recursive: true, mode: 0o700 });
  // of processes that start at the same time, the first one writes it
  await writeFile(file, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return (await readFile(file, 'utf8')).trim();
}

/** The names of the complete backups. */
export async function listBackupFolders(dataDir: string): Promise<string[]> {
  const found = await readdir(backupsIn(dataDir)).catch(() => []); // may not exist yet
  const names: string[] = [];
  for (const name of found.filter(isName)) {
    const isComplete = await stat(path.join(folderOf(dataDir, name), manifestFile)).catch(() => undefined);
    if (isComplete) names.push(name);
  }
  return names.toSorted();
}

/** Deletes what interrupted backups of the shop left. @param names of those backups */
export async function removeDrafts(dataDir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(`${folderOf(dataDir, name)}.part`, { recursive: true, force: true });
}

export const removeBackupFolder = (dataDir: string, name: string): Promise<void> =>
  rm(folderOf(dataDir, name), { recursive: true, force: true });
