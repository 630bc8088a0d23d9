/** The shop's process: configuration, start, greeting, and an orderly end. */
import path from 'node:path';
import type { Logger } from 'pino';
import { readConfig, type Config } from './config';
import { isDatabaseOutOfReach } from './db/errors';
import { describeFailure } from './failures';
import { openLog } from './log';
import { refuse } from './refuse';
import { startShop, type Shop } from './shop';

const endsWithinMs = 10_000;
const root = path.resolve(import.meta.dirname, '../..'); // of dist/server and of src/server alike

try {
  const config = readConfig(process.env);
  const logger = openLog(config.logLevel);
  outliveDatabase(logger);
  const starting = startShop(config, root, logger);
  endOnSignals(starting);
  greet(config, await starting);
} catch (error) {
  refuse(error);
}

/**
 * The job runner lets go of its jobs without waiting for the database, so its death surfaces as a rejection that nobody
 * handles. The runner itself goes on; anything else that nobody handles is a mistake of ours and ends the process.
 */
function outliveDatabase(logger: Logger): void {
  process.on('unhandledRejection', (reason) => {
    if (!isDatabaseOutOfReach(reason)) throw reason;
    logger.error({ failure: describeFailure(reason) }, 'a job was cut off from the database');
  });
}

function greet({ publicUrl, ownerEmail, payments }: Config, { newOwnerPassword }: Shop): void {
  const lines = [`The shop is open at ${publicUrl.origin}`];
  if (newOwnerPassword !== undefined) {
    lines.push(`The owner's login: ${ownerEmail}  ${newOwnerPassword}`, 'The password is shown this once. Keep it.');
  }
  if (payments.provider === 'sandbox')
    lines.push('Payments are a test: no money moves. Card 4242 4242 4242 4242 pays.');
  process.stdout.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}

/** Stops accepting, finishes or rolls back what runs, exits 0; a second signal does not wait. */
function endOnSignals(starting: Promise<Shop>): void {
  let ending = false;
  const end = () => {
    if (ending) process.exit(1);
    ending = true;
    setTimeout(() => process.exit(1), endsWithinMs).unref();
    void starting
      .then((shop) => shop.close())
      .then(
        () => process.exit(0),
        (error: unknown) => refuse(error),
      );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
