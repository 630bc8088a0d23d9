/**
 * `node dist/server/owner.js [--password] [--second-factor-off] [--email <email>]`, with the shop's DATA_DIR and
 * DATABASE_URL: the program behind `npm run owner`.
 */
import { parseArgs } from 'node:util';
import { readOwnerPassword, readPlace } from '../core/config';
import { exitWithError } from '../core/exitWithError';
import { StartError } from '../core/startError';
import { databaseErrorCode } from '../db/core/errors';
import { connect, type Db } from '../db/core/transact';
import { openPool } from '../db/open';
import { openRunning } from '../db/openRunning';
import { findOwners } from '../users/core/service';
import { chooseOwner, setOwnerPassword, turnSecondFactorOff } from './ownerRescue';

const usage = `Lets the owner back in. Run it as the shop's user, with the shop's DATA_DIR and DATABASE_URL.

npm run owner -- --password            sets a new password: OWNER_PASSWORD, or a random one that is printed once
npm run owner -- --second-factor-off   turns two-step login off
npm run owner -- … --email <email>     chooses the owner, if the shop has several

Both log the owner out on all devices.`;

type Options = { password: boolean; secondFactorOff: boolean; email: string | undefined };

try {
  const options = readOptions();
  const lines = await withShop((db) => rescue(db, options));
  process.stdout.write(`${lines.join('\n')}\n`);
} catch (error) {
  exitWithError(error);
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        password: { type: 'boolean' },
        'second-factor-off': { type: 'boolean' },
        email: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    const { password = false, 'second-factor-off': secondFactorOff = false, email, help } = values;
    return help ? { password: false, secondFactorOff: false, email: undefined } : { password, secondFactorOff, email };
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n\n${usage}`);
  }
}

async function withShop<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  const { dataDir, ...urls } = readPlace(process.env);
  const { direct, close } = await openRunning(dataDir, urls);
  const pool = openPool({ ...direct, max: 1 });
  try {
    return await work(connect(pool));
  } catch (error) {
    throw isOtherSchema(error)
      ? new StartError("The database isn't up to date. Start the shop once, then try again")
      : error;
  } finally {
    await pool.end();
    await close();
  }
}

/** A table or column is missing: this version of the shop never started on the database. */
function isOtherSchema(error: unknown): boolean {
  return ['42P01', '42703'].includes(databaseErrorCode(error) ?? '');
}

/** @returns the lines to print */
async function rescue(db: Db, { password, secondFactorOff, email }: Options): Promise<string[]> {
  if (!password && !secondFactorOff) {
    const owners = (await findOwners(db)).map(
      (owner) => `${owner.email}${owner.totpConfirmedAt ? ' (two-step login is on)' : ''}`,
    );
    return [usage, '', `Owner: ${owners.join(', ') || 'none yet'}`];
  }
  const chosen = password ? readOwnerPassword(process.env) : undefined;
  const owner = await chooseOwner(db, email);
  const now = new Date();
  const lines: string[] = [];
  if (password) {
    const generated = await setOwnerPassword(db, owner, chosen, now);
    lines.push(
      ...(generated === undefined
        ? [`${owner.email} now has the password in OWNER_PASSWORD.`]
        : [`Owner login: ${owner.email} ${generated}`, "Save this password now. You won't see it again."]),
    );
  }
  if (secondFactorOff) {
    const wasOn = await turnSecondFactorOff(db, owner, now);
    lines.push(`Two-step login is ${wasOn ? 'off' : 'off already'} for ${owner.email}.`);
  }
  return lines;
}
