/**
 * The app login, which the shop uses for requests. It owns nothing and is a member of no role, so no query can regain
 * rights. (With `set role` on the owner's connections it could: `set_config('role', 'none', …)` undoes that, even inside a
 * query.) The table owner migrates, makes backups and creates this login.
 *
 * Each step is idempotent, so a later start completes what a killed one left.
 * Source: OWASP ASVS 5.0, 13.2.2. Rule: docs/rules/running.md, Database
 */
import { DatabaseError, escapeIdentifier, escapeLiteral, type ClientBase, type ClientConfig } from 'pg';
import type { Login } from '../../core/databaseUrl';
import { openClient } from '../core/openClient';
import { databaseErrorCode } from '../core/errors';
import { dropAppRole, giveToOwner, grantRows, inTurn, mayChangeAuditLog, readNames, findRights } from './appRole';
import { scramVerifier } from './scram';

export type AppLogin = {
  /** A connection of the table owner that supports sessions. */
  owner: ClientConfig;
  /** The configured name. undefined: the app role's name, and the shop sets its password. */
  user: string | undefined;
  /** undefined: no password, for a database that requires none */
  password: string | undefined;
  /** The connections to check: first the direct one without PgBouncer, then the one for requests. */
  ways: (login: Login) => readonly ClientConfig[];
};

/**
 * Creates or updates the login. Call it once the schema is up to date.
 * @returns the login, or the database's error if the owner may not create it or the database rejects it
 * @throws when the database is unreachable
 */
export async function createAppLogin(wanted: AppLogin): Promise<Login | { refused: string }> {
  try {
    const login = await inTurn(wanted.owner, (client) => requireLogin(client, wanted));
    const [direct, ...others] = wanted.ways(login);
    if (direct) await logIn(direct).catch((error: unknown) => tryNewPassword(wanted, login, direct, error));
    // before the others: a PgBouncer that looks up the login as the owner needs the owner's rights
    await inTurn(wanted.owner, async (client) => dropAppRole(client, await readNames(client)));
    for (const way of others) await logIn(way);
    return login;
  } catch (error) {
    if (!isRejection(error)) throw error;
    return { refused: error.message };
  }
}

/** Sets a new password if the login has an old one: the owner's password has changed, or the password file is gone. */
async function tryNewPassword(wanted: AppLogin, login: Login, way: ClientConfig, rejection: unknown): Promise<void> {
  const isWrong = databaseErrorCode(rejection) === wrongPassword;
  if (!isWrong || wanted.user !== undefined || login.password === undefined) throw rejection;
  await inTurn(wanted.owner, (client) =>
    client.query(`alter role ${escapeIdentifier(login.user)} ${passwordOf(login)}`),
  );
  await logIn(way);
}

async function requireLogin(client: ClientBase, { user, password }: AppLogin): Promise<Login> {
  const names = await readNames(client);
  const login = { user: user ?? names.role, password };
  const role = escapeIdentifier(login.user);
  const rights = await findRights(client, login.user);
  if (rights?.canGetMore)
    throw new Rejection(`${login.user} has, or can get, more rights than reading and writing rows`);
  if (!rights) {
    await client.query(`create role ${role} login ${passwordOf(login)}`);
    await giveToOwner(client, names, login.user);
  } else if (!rights.canLogIn) await client.query(`alter role ${role} login ${passwordOf(login)}`);
  await grantRows(client, login.user);
  if (await mayChangeAuditLog(client, login.user)) throw new Rejection(`${login.user} can change the audit log`);
  return login;
}

const passwordOf = ({ password }: Login) =>
  password === undefined ? '' : `password ${escapeLiteral(scramVerifier(password))}`;

async function logIn(way: ClientConfig): Promise<void> {
  const client = await openClient(way);
  try {
    await client.query('select 1'); // a PgBouncer connects to the database only now
  } finally {
    await client.end().catch(() => undefined);
  }
}

const wrongPassword = '28P01';

class Rejection extends Error {}

/** Whether the database or PgBouncer rejected the login, and is not just busy, starting or stopping; or no password is set. */
function isRejection(error: unknown): error is Error {
  if (error instanceof DatabaseError) return !/^(57P|53)/.test(databaseErrorCode(error) ?? '');
  return error instanceof Rejection || (error instanceof Error && error.message.startsWith('SASL'));
}
