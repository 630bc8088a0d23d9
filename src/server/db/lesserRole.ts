/**
 * The shop's connections may read and write rows and nothing else: whatever gets into a query of theirs makes no role,
 * reads no file, and changes or drops no table. The login stays the owner, for migrations alone (`asOwner`).
 *
 * It is the login's default in this one database (`alter role … set role`), so it holds for every connection, also
 * through a PgBouncer, which refuses settings of a connection's own.
 * Source: OWASP ASVS 5.0, 13.2.2
 */
import { Client, escapeIdentifier, type ClientBase, type ClientConfig } from 'pg';
import { databaseErrorCode } from './errors';

const schemas = ['public', 'graphile_worker'];
const lock = 727_002;
const notAllowed = '42501';

/**
 * Gives the connections that follow the lesser role, whose name is the database's and `_app`; safe with several
 * processes starting at once. Call it when the schema is up to date.
 * @returns false where the login may neither make that role nor use one that is there; its connections stay what they are
 */
export async function takeLesserRole(direct: ClientConfig): Promise<boolean> {
  const client = new Client(direct);
  client.on('error', () => undefined); // the running query reports the error
  await client.connect();
  try {
    await asOwner(client);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    const name = await requireName(client);
    if (!(await isTaken(client, name))) await take(client, name);
    await client.query('commit');
    return true;
  } catch (error) {
    if (databaseErrorCode(error) === notAllowed) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** Makes a connection the login's own again, for changing the schema. */
export async function asOwner(client: ClientBase): Promise<void> {
  await client.query('set role none');
}

const longestName = 63;

async function requireName(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ database: string }>('select current_database() as database');
  const { database } = rows[0] ?? { database: '' };
  return `${database.slice(0, longestName - '_app'.length)}_app`;
}

/** Whether there is nothing to do: it is the default, and no table has come since. */
async function isTaken(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select exists (select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
                    join pg_roles r on r.oid = s.setrole
                    where d.datname = current_database() and r.rolname = session_user
                      and s.setconfig @> array['role=' || $1::text])
        and not exists (select from pg_class c where relnamespace = any ($2::regnamespace[]) and relkind = 'r'
                        and not coalesce((select has_table_privilege(r.oid, c.oid, 'select') from pg_roles r where r.rolname = $1), false)) as taken`,
    [name, schemas],
  );
  return rows[0]?.taken === true;
}

async function take(client: ClientBase, name: string): Promise<void> {
  const role = escapeIdentifier(name);
  const { rows } = await client.query<{ isThere: boolean; database: string; login: string }>(
    `select exists (select from pg_roles where rolname = $1) as "isThere", current_database() as database,
            session_user as login`,
    [name],
  );
  const [{ isThere, database, login } = { isThere: false, database: '', login: '' }] = rows;
  if (!isThere) {
    await client.query(`create role ${role} nologin`);
    await client.query(`grant ${role} to ${escapeIdentifier(login)}`);
  }
  const all = `in schema ${schemas.join(', ')} to ${role}`;
  await client.query(`grant usage on schema ${schemas.join(', ')} to ${role}`);
  await client.query(`grant select, insert, update, delete on all tables ${all}`);
  await client.query(`grant usage, select on all sequences ${all}`);
  await client.query(`revoke update, delete on audit_log from ${role}`); // it only grows
  await letPastRowSecurity(client, role);
  await client.query(
    `alter role ${escapeIdentifier(login)} in database ${escapeIdentifier(database)} set role = ${role}`,
  );
}

/** The tables of the jobs show no row to anybody but their owner, unless a policy does. */
async function letPastRowSecurity(client: ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = any ($1::regnamespace[]) and c.relrowsecurity
       and not exists (select from pg_policy where polrelid = c.oid and polname = 'shop')`,
    [schemas],
  );
  for (const { name } of rows) await client.query(`create policy shop on ${name} to ${role} using (true)`);
}
