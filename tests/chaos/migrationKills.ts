/**
 * A shop starts on an empty database, and its connection dies during the migrations: at the first statement, or at any
 * later one. Then there is nothing of the schema, and the next start creates all of it.
 * Rule: docs/rules/failures.md, Crashes and storage
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { migrateDatabase } from '../../src/server/db/open';

export type MigrationKills = { statements: number; kills: number; wrong: string[] };
type Options = {
  /** The URL of an empty database. */
  direct: ClientConfig;
  migrations: string;
  /** How many statements lie between two kills. */
  every: number;
};

const between = '--> statement-breakpoint';
const death = 'select pg_terminate_backend(pg_backend_pid());';

export async function killMigrations({ direct, migrations, every }: Options): Promise<MigrationKills> {
  const files = await listFiles(migrations);
  const statements = files.flatMap(({ name, parts }) => parts.map((_, index) => ({ name, index })));
  const totals: MigrationKills = { statements: statements.length, kills: 0, wrong: [] };
  const observer = new Client(direct);
  await observer.connect();
  const home = await mkdtemp(path.join(tmpdir(), 'shop-migrations-'));
  try {
    for (let at = 0; at < statements.length; at += every) {
      const statement = statements[at];
      const file = files.find(({ name }) => name === statement?.name);
      if (!statement || !file) continue;
      const folder = path.join(home, String(at));
      await cp(migrations, folder, { recursive: true });
      const broken = file.parts.toSpliced(statement.index + 1, 0, death);
      await writeFile(path.join(folder, file.name), broken.join(between));
      const hasEnded = await migrateDatabase(direct, folder).then(
        () => true,
        () => false,
      );
      totals.kills++;
      const tables = await countTables(observer);
      if (hasEnded || tables > 0)
        totals.wrong.push(`killed after statement ${at}, ${statement.name}: ${tables} tables are there`);
    }
    await migrateDatabase(direct, migrations);
    if ((await countTables(observer)) === 0) totals.wrong.push('the start after the kills has made no table');
    return totals;
  } finally {
    await observer.end();
    await rm(home, { recursive: true, force: true });
  }
}

async function listFiles(folder: string): Promise<{ name: string; parts: string[] }[]> {
  const journal = JSON.parse(await readFile(path.join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[];
  };
  return Promise.all(
    journal.entries.map(async ({ tag }) => {
      const name = `${tag}.sql`;
      return { name, parts: (await readFile(path.join(folder, name), 'utf8')).split(between) };
    }),
  );
}

async function countTables(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = 'public' and relkind in ('r', 'S', 'v', 'i')`,
  );
  return rows[0]?.count ?? 0;
}
