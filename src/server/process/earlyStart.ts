/**
 * What a start begins with, before the shop itself is read: its own database starts meanwhile, in processes of its own.
 * So this file imports little.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../core/config';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../db/embedded/embeddedPostgres';

/** What already starts; it may fail. */
export type EarlyStart = { embeddedPostgres?: Promise<EmbeddedPostgres> };

/** @returns once there is nothing to do here but to wait @throws ConfigError naming DATA_DIR */
export async function begin(config: Config, logger: Logger): Promise<EarlyStart> {
  if (config.databaseUrl !== undefined) return {};
  await makeDataDir(config);
  return new Promise((resolve) => {
    const goOn = () => resolve({ embeddedPostgres });
    const embeddedPostgres = startEmbeddedPostgres(ownFolder(config), (sentence) => logger.error(sentence), goOn);
    embeddedPostgres.then(goOn, goOn); // whoever opens the database hears of a failure
  });
}

/** Nothing where it has ended already, or did not start. */
export async function stopEarlyStart({ embeddedPostgres }: EarlyStart): Promise<void> {
  const started = await embeddedPostgres?.catch(() => undefined);
  await started?.stop();
}

export const ownFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => path.join(dataDir, 'postgres');

export async function makeDataDir({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(({ message }: Error) => {
    throw new ConfigError(`DATA_DIR cannot be used (${message})`);
  });
}
