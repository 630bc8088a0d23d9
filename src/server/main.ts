/** The shop's process: configuration, start, banner and graceful shutdown. */
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

const stopWithinMs = 10_000;
const root = path.resolve(import.meta.dirname, '../..'); // the same from dist/server and src/server

try {
  const config = readConfig(process.env);
  const logger = openLog(config.logLevel);
  surviveDatabaseLoss(logger);
  const starting = start(config, logger);
  endOnSignals(starting, logger);
  printBanner(config, await starting);
} catch (error) {
  exitWithError(error);
}

/** Loads the shop's code while the embedded database starts, since these two take most of the startup time. */
async function start(config: Config, logger: Logger): Promise<Shop> {
  const earlyStart = await begin(config, logger);
  const { startShop } = await import('./process/shop');
  return startShop(config, root, logger, earlyStart);
}

/**
 * The job runner releases its jobs without waiting for the database, so a lost database surfaces as an unhandled
 * rejection; the runner itself recovers. Any other unhandled rejection is a bug and ends the process.
 */
function surviveDatabaseLoss(logger: Logger): void {
  process.on('unhandledRejection', (reason) => {
    if (!isDatabaseOutOfReach(reason)) throw reason;
    logger.error({ failure: describeFailure(reason) }, 'a job lost its database connection');
  });
}

function printBanner(config: Config, shop: Shop): void {
  const lines = bannerOf(config, shop).map((line) => `  ${line}`);
  process.stdout.on('error', () => undefined); // standard output may be closed
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/**
 * Stops accepting requests, finishes or rolls back what runs, exits 0; a second SIGTERM or SIGINT exits immediately.
 * SIGHUP arrives when the terminal closes, or from src/tools/endWithParent.mjs when the process that started the shop is
 * gone; it may follow any of the others.
 * Rule: docs/rules/running.md, Stopping
 */
function endOnSignals(starting: Promise<Shop>, logger: Logger): void {
  let isEnding = false;
  let wasRequested = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    void starting
      .then((shop) => shop.close())
      .then(
        () => process.exit(0),
        (error: unknown) => exitWithError(error),
      );
  };
  const endOnRequest = () => {
    if (wasRequested) process.exit(1);
    wasRequested = true;
    end();
  };
  process.on('SIGTERM', endOnRequest);
  process.on('SIGINT', endOnRequest);
  process.on('SIGHUP', () => {
    if (!isEnding) logger.info('the parent process is gone; shutting down');
    end();
  });
}
