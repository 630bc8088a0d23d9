/**
 * The shop's process, as src/server/main.ts starts it, except that photos from links come from a server on this machine.
 * The shop itself has no setting for that.
 */
import path from 'node:path';
import { readConfig } from '../../src/server/core/config';
import { begin } from '../../src/server/process/earlyStart';
import { openLog } from '../../src/server/process/log';
import { startShop } from '../../src/server/process/shop';
import { publicWeb } from '../../src/server/pictures/photoDownload';
import { localWeb } from '../support/photoServer';

const config = readConfig(process.env);
const logger = openLog(config.logLevel);
const earlyStart = await begin(config, logger);
const web = { ...localWeb, pauseMs: publicWeb.pauseMs };
await startShop(config, path.resolve('.'), logger, { ...earlyStart, web });
