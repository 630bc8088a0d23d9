/** Opens the database for a separate program, such as a backup, whether the shop runs or is stopped. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ClientConfig } from 'pg';
import { StartError } from '../core/startError';
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded/embeddedPostgres';
import { openDatabase } from './open';

export type DatabaseUrls = { databaseUrl: string | undefined; databaseDirectUrl: string | undefined };
export type RunningDatabase = { direct: ClientConfig; close: () => Promise<void> };

/** The running shop's database, or an embedded one started just for the program. */
export async function openRunning(
  dataDir: string,
  { databaseUrl, databaseDirectUrl }: DatabaseUrls,
): Promise<RunningDatabase> {
  const folder = path.join(dataDir, 'postgres');
  if (databaseUrl !== undefined) {
    const { owner, close } = await openDatabase({ url: databaseUrl, directUrl: databaseDirectUrl, folder });
    return { direct: owner, close };
  }
  const running = await findEmbeddedPostgres(folder);
  if (running) return { direct: { ...running, ssl: false }, close: async () => undefined };
  if (!(await stat(folder).catch(() => undefined))) throw new StartError(`DATA_DIR: no shop found in ${dataDir}`);
  const { connection, stop } = await startEmbeddedPostgres(folder);
  return { direct: { ...connection, ssl: false }, close: stop };
}
