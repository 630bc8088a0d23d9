/**
 * The app role may read and write the shop's rows and nothing else: an injected query can create no role, read no file, and
 * change or drop no table. The shop logs in as this role (appLogin.ts). Where that is not possible, it is at least the
 * default role of the owner's connections in this database, which a query can undo.
 * Source: OWASP ASVS 5.0, 13.2.2
 */
import { escapeIdentifier, type ClientBase, type ClientConfig } from 'pg';
import { openClient } from '../core/openClient';
import { databaseErrorCode } from '../core/errors';

const schemas = ['public', 'graphile_worker'];
const lock = 727_002;
const longestName = 63;
const notAllowed = '42501';

/** Resets a connection to the owner's rights, for changing the schema. */
export async function asOwner(client: ClientBase): Promise<void> {
  await client.query('set role none');
}

/** Runs a transaction as the owner, under a lock that serializes processes starting at the same time. */
export async function inTurn<Result>(
  owner: ClientConfig,
  work: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(owner);
  try {
    await asOwner(client);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}

export type Names = { database: string; owner: string; role: string };

/** @returns the names; the role is called like the database, plus `_app` */
export async function readNames(client: ClientBase): Promise<Names> {
  const { rows } = await client.query<Omit<Names, 'role'>>(
    'select current_database() as database, session_user as owner',
  );
  const [{ database, owner } = { database: '', owner: '' }] = rows;
  return { database, owner, role: `${database.slice(0, longestName - '_app'.length)}_app` };
}

/** Lets an existing role read and write the rows of all tables, and revokes other rights. */
export async function grantRows(client: ClientBase, name: string): Promise<void> {
  if (await hasRows(client, name)) return;
  const role = escapeIdentifier(name);
  const all = `in schema ${schemas.join(', ')} to ${role}`;
  await client.query(`grant usage on schema ${schemas.join(', ')} to ${role}`);
  await client.query(`grant select, insert, update, delete on all tables ${all}`);
  await client.query(`grant usage, select on all sequences ${all}`);
  await client.query(`revoke update, delete, truncate on audit_log from ${role}`); // append only
  await letPastRowSecurity(client, name);
}

/** Whether the grants are up to date: no table is missing, and the role has no extra rights. */
async function hasRows(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `select not exists (select from pg_class where relnamespace = any ($2::regnamespace[]) and relkind = 'r'
                        and not has_table_privilege($1, oid, 'select')) as has`,
    [name, schemas],
  );
  return rows[0]?.has === true && !(await mayChangeAuditLog(client, name));
}

/** By direct rights, public rights, or those of a role it is a member of, since a query can switch to that role. */
export async function mayChangeAuditLog(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select exists (select from pg_roles r where pg_has_role($1, r.oid, 'member')
                    and (has_table_privilege(r.oid, 'audit_log', 'update, delete, truncate')
                         or has_any_column_privilege(r.oid, 'audit_log', 'update'))) as may`,
    [name],
  );
  return rows[0]?.may === true;
}

/** Row security on the job tables hides all rows from non-owners unless a policy allows them. */
async function letPastRowSecurity(client: ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ table: string; policy: string }>(
    `select c.oid::regclass::text as table,
            case when exists (select from pg_policy where polrelid = c.oid and polname = 'shop') then $2 else 'shop' end as policy
     from pg_class c join pg_roles r on r.rolname = $2
     where c.relnamespace = any ($1::regnamespace[]) and c.relrowsecurity
       and not exists (select from pg_policy where polrelid = c.oid and r.oid = any (polroles))`,
    [schemas, role],
  );
  for (const { table, policy } of rows)
    await client.query(
      `create policy ${escapeIdentifier(policy)} on ${table} to ${escapeIdentifier(role)} using (true)`,
    );
}

/**
 * The fallback without an app login: the owner's connections start with the app role.
 * @returns false if the owner may neither create nor use that role; its connections then stay unchanged
 */
export async function takeAppRole(owner: ClientConfig): Promise<boolean> {
  try {
    return await inTurn(owner, async (client) => {
      const names = await readNames(client);
      const rights = await findRights(client, names.role);
      if (rights?.canGetMore) return false; // it would not reduce the rights
      if (!rights) await client.query(`create role ${escapeIdentifier(names.role)} nologin`);
      await giveToOwner(client, names, names.role);
      await grantRows(client, names.role);
      if (!(await isDefault(client, names)))
        await setDefault(client, names, `set role = ${escapeIdentifier(names.role)}`);
      return true;
    });
  } catch (error) {
    if (databaseErrorCode(error) === notAllowed) return false;
    throw error;
  }
}

/** Removes the default role: the owner's logins have the owner's rights again. */
export async function dropAppRole(client: ClientBase, names: Names): Promise<void> {
  if (await isDefault(client, names)) await setDefault(client, names, 'reset role');
}

/** Lets the owner terminate the role's connections. A role's creator may grant it; otherwise it was granted already. */
export async function giveToOwner(client: ClientBase, { owner }: Names, name: string): Promise<void> {
  await client.query('savepoint given');
  try {
    await client.query(`grant ${escapeIdentifier(name)} to ${escapeIdentifier(owner)}`);
  } catch (error) {
    if (databaseErrorCode(error) !== notAllowed) throw error;
    await client.query('rollback to savepoint given');
  }
}

export type Rights = { canLogIn: boolean; canGetMore: boolean };

/**
 * Counts every role it is a member of, since a query can switch to each of them.
 * @returns undefined when the role does not exist
 */
export async function findRights(client: ClientBase, name: string): Promise<Rights | undefined> {
  const { rows } = await client.query<Rights>(
    `select r.rolcanlogin as "canLogIn", exists (
       select from pg_roles other where pg_has_role(r.oid, other.oid, 'member') and (
         other.rolsuper or other.rolcreaterole or other.rolcreatedb or other.rolreplication or other.rolbypassrls
         or other.rolname = session_user
         or other.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
     ) as "canGetMore"
     from pg_roles r where r.rolname = $1`,
    [name],
  );
  return rows[0];
}

async function isDefault(client: ClientBase, { role }: Names): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase join pg_roles r on r.oid = s.setrole
     where d.datname = current_database() and r.rolname = session_user and s.setconfig @> array['role=' || $1::text]`,
    [role],
  );
  return rowCount === 1;
}

async function setDefault(client: ClientBase, { database, owner }: Names, change: string): Promise<void> {
  const [login, place] = [owner, database].map((name) => escapeIdentifier(name));
  await client.query(`alter role ${login} in database ${place} ${change}`);
}
