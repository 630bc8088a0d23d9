/**
 * The first step of a start, before the shop's own code is loaded: starts the embedded database in its own processes
 * meanwhile. So this file has few imports.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../core/config';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../db/embedded/embeddedPostgres';

/** The start in progress; the promise may reject. */
export type EarlyStart = { embeddedPostgres?: Promise<EmbeddedPostgres> };

/** @returns as soon as the rest of the start is only waiting @throws ConfigError naming DATA_DIR */
export async function begin(config: Config, logger: Logger): Promise<EarlyStart> {
  if (config.databaseUrl !== undefined) return {};
  await makeDataDir(config);
  return new Promise((resolve) => {
    const resume = () => resolve({ embeddedPostgres });
    const embeddedPostgres = startEmbeddedPostgres(ownFolder(config), (sentence) => logger.error(sentence), resume);
    embeddedPostgres.then(resume, resume); // a failure is reported when the database is opened
  });
}

/** Does nothing if it has ended or did not start. */
export async function stopEarlyStart({ embeddedPostgres }: EarlyStart): Promise<void> {
  const started = await embeddedPostgres?.catch(() => undefined);
  await started?.stop();
}

export const ownFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => path.join(dataDir, 'postgres');

export async function makeDataDir({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(({ message }: Error) => {
    throw new ConfigError(`DATA_DIR can't be used (${message})`);
  });
}
