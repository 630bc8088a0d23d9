/**
 * The login that the shop works with. It owns nothing and is a member of nothing, so there are no rights that a query
 * could take back. (With `set role` in the owner's connections there are: `set_config('role', 'none', …)` ends it, also
 * inside a query.) The owner of the tables migrates and makes backups, and makes this login.
 *
 * Each step can be done again, by this start or the next one, and finds what a killed start left.
 * Source: OWASP ASVS 5.0, 13.2.2. Rule: docs/rules/running.md, Database
 */
import { DatabaseError, escapeIdentifier, escapeLiteral, type ClientBase, type ClientConfig } from 'pg';
import type { Login } from '../../core/databaseAddress';
import { openClient } from '../core/openClient';
import { databaseErrorCode } from '../core/errors';
import { dropAppRole, giveToOwner, grantRows, inTurn, mayChangeAuditLog, readNames, findRights } from './appRole';
import { scramVerifier } from './scram';

export type AppLogin = {
  /** A connection that may hold a session, as the owner of the tables. */
  owner: ClientConfig;
  /** The name that somebody chose for it. undefined: the lesser role's name, and the shop sets its password. */
  user: string | undefined;
  /** undefined: none, for a database that asks for none */
  password: string | undefined;
  /** How to connect as it: past any PgBouncer first, then as requests do. */
  ways: (login: Login) => readonly ClientConfig[];
};

/**
 * Makes the login, or brings it up to date. Call it when the schema is.
 * @returns why there is none, in the database's words, where the owner may not make it or the database does not let it in
 * @throws when the database is out of reach
 */
export async function createAppLogin(wanted: AppLogin): Promise<Login | { refused: string }> {
  try {
    const login = await inTurn(wanted.owner, (client) => requireLogin(client, wanted));
    const [direct, ...others] = wanted.ways(login);
    if (direct) await logIn(direct).catch((error: unknown) => tryNewPassword(wanted, login, direct, error));
    // before the others: a PgBouncer that looks the login up as the owner needs the owner's rights for it
    await inTurn(wanted.owner, async (client) => dropAppRole(client, await readNames(client)));
    for (const way of others) await logIn(way);
    return login;
  } catch (error) {
    if (!isRejection(error)) throw error;
    return { refused: error.message };
  }
}

/** It was made with another password: from the owner's password before it was changed, or by a start whose file is gone. */
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
  if (rights?.canGetMore) throw new Rejection(`${login.user} has, or can get, more rights than to read and write rows`);
  if (!rights) {
    await client.query(`create role ${role} login ${passwordOf(login)}`);
    await giveToOwner(client, names, login.user);
  } else if (!rights.canLogIn) await client.query(`alter role ${role} login ${passwordOf(login)}`);
  await grantRows(client, login.user);
  if (await mayChangeAuditLog(client, login.user)) throw new Rejection(`${login.user} may change the audit log`);
  return login;
}

const passwordOf = ({ password }: Login) =>
  password === undefined ? '' : `password ${escapeLiteral(scramVerifier(password))}`;

async function logIn(way: ClientConfig): Promise<void> {
  const client = await openClient(way);
  try {
    await client.query('select 1'); // a PgBouncer asks the database only now
  } finally {
    await client.end().catch(() => undefined);
  }
}

const wrongPassword = '28P01';

class Rejection extends Error {}

/** The database, or a PgBouncer, said no: not that it is busy, starting or ending. Or the driver has no password to send. */
function isRejection(error: unknown): error is Error {
  if (error instanceof DatabaseError) return !/^(57P|53)/.test(databaseErrorCode(error) ?? '');
  return error instanceof Rejection || (error instanceof Error && error.message.startsWith('SASL'));
}
