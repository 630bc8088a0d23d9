/**
 * A role that may read and write the shop's rows and nothing else: whatever gets into a query of its makes no role, reads
 * no file, and changes or drops no table. The shop's connections log in as it (secondLogin.ts). Where that cannot be, it is
 * at least what the owner's connections begin with, by a default of the owner in this one database, which a query can take
 * back.
 * Source: OWASP ASVS 5.0, 13.2.2
 */
import { escapeIdentifier, type ClientBase, type ClientConfig } from 'pg';
import { openClient } from '../core/openClient';
import { databaseErrorCode } from '../core/errors';

const schemas = ['public', 'graphile_worker'];
const lock = 727_002;
const longestName = 63;
const notAllowed = '42501';

/** Makes a connection the owner's own again, for changing the schema. */
export async function asOwner(client: ClientBase): Promise<void> {
  await client.query('set role none');
}

/** One transaction of the owner; of several processes that start at once one after the other. */
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

/** @returns of the role: the database's name and `_app` */
export async function readNames(client: ClientBase): Promise<Names> {
  const { rows } = await client.query<Omit<Names, 'role'>>(
    'select current_database() as database, session_user as owner',
  );
  const [{ database, owner } = { database: '', owner: '' }] = rows;
  return { database, owner, role: `${database.slice(0, longestName - '_app'.length)}_app` };
}

/** Lets a role that is there read and write the rows of every table that there is, and takes back what is more. */
export async function grantRows(client: ClientBase, name: string): Promise<void> {
  if (await hasRows(client, name)) return;
  const role = escapeIdentifier(name);
  const all = `in schema ${schemas.join(', ')} to ${role}`;
  await client.query(`grant usage on schema ${schemas.join(', ')} to ${role}`);
  await client.query(`grant select, insert, update, delete on all tables ${all}`);
  await client.query(`grant usage, select on all sequences ${all}`);
  await client.query(`revoke update, delete, truncate on audit_log from ${role}`); // it only grows
  await letPastRowSecurity(client, name);
}

/** Whether there is nothing to do: no table has come since, and nobody gave it more. */
async function hasRows(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `select not exists (select from pg_class where relnamespace = any ($2::regnamespace[]) and relkind = 'r'
                        and not has_table_privilege($1, oid, 'select')) as has`,
    [name, schemas],
  );
  return rows[0]?.has === true && !(await mayChangeAuditLog(client, name));
}

/** By rights of its own, of everybody, or of a role that it is a member of, which a query can become. */
export async function mayChangeAuditLog(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select exists (select from pg_roles r where pg_has_role($1, r.oid, 'member')
                    and (has_table_privilege(r.oid, 'audit_log', 'update, delete, truncate')
                         or has_any_column_privilege(r.oid, 'audit_log', 'update'))) as may`,
    [name],
  );
  return rows[0]?.may === true;
}

/** The tables of the jobs show no row to anybody but their owner, unless a policy does. */
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
 * What is left where there can be no second login: the owner's connections begin as the lesser role.
 * @returns false where the owner may neither make that role nor use one that is there; its connections stay what they are
 */
export async function takeAppRole(owner: ClientConfig): Promise<boolean> {
  try {
    return await inTurn(owner, async (client) => {
      const names = await readNames(client);
      const rights = await findRights(client, names.role);
      if (rights?.canGetMore) return false; // nothing would be less
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

/** Whoever logs in as the owner has the owner's rights again, as before there was a lesser role. */
export async function dropAppRole(client: ClientBase, names: Names): Promise<void> {
  if (await isDefault(client, names)) await setDefault(client, names, 'reset role');
}

/** Then the owner may end its connections. Who made the role may do this; who was given it has it already. */
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
 * Every role that it is a member of counts, since a query can become each of them.
 * @returns undefined when there is no such role
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
