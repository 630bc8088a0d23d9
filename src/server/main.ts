/** The shop's process: configuration, start, greeting, and an orderly end. */
import path from 'node:path';
import type { Logger } from 'pino';
import { begin } from './process/earlyStart';
import { readConfig, type Config } from './core/config';
import { isDatabaseOutOfReach } from './db/core/errors';
import { describeFailure } from './db/core/loggedErrors';
import { bannerOf } from './process/banner';
import { openLog } from './process/log';
import { exitWithError } from './core/exitWithError';
import type { Shop } from './process/shop';

const endsWithinMs = 10_000;
const root = path.resolve(import.meta.dirname, '../..'); // of dist/server and of src/server alike

try {
  const config = readConfig(process.env);
  const logger = openLog(config.logLevel);
  outliveDatabase(logger);
  const starting = start(config, logger);
  endOnSignals(starting, logger);
  printBanner(config, await starting);
} catch (error) {
  exitWithError(error);
}

/** The shop itself is read while its own database starts: most of a start is one of the two. */
async function start(config: Config, logger: Logger): Promise<Shop> {
  const begun = await begin(config, logger);
  const { startShop } = await import('./process/shop');
  return startShop(config, root, logger, begun);
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

function printBanner(config: Config, shop: Shop): void {
  const lines = bannerOf(config, shop).map((line) => `  ${line}`);
  process.stdout.on('error', () => undefined); // nobody reads it any more
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/**
 * Stops accepting, finishes or rolls back what runs, exits 0; a second SIGTERM or SIGINT does not wait. SIGHUP comes when
 * the terminal has closed, or from src/tools/starter.mjs when what started the shop is gone; it may follow any of them.
 * Rule: docs/rules/running.md, Stopping
 */
function endOnSignals(starting: Promise<Shop>, logger: Logger): void {
  let isEnding = false;
  let wasAsked = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), endsWithinMs).unref();
    void starting
      .then((shop) => shop.close())
      .then(
        () => process.exit(0),
        (error: unknown) => exitWithError(error),
      );
  };
  const endWhenAsked = () => {
    if (wasAsked) process.exit(1);
    wasAsked = true;
    end();
  };
  process.on('SIGTERM', endWhenAsked);
  process.on('SIGINT', endWhenAsked);
  process.on('SIGHUP', () => {
    if (!isEnding) logger.info('what started the shop is gone: it ends');
    end();
  });
}
