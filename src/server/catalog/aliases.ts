/**
 * Old addresses of products: where they were found in the shop that they were imported from. Pages of the shop itself win
 * over them. Rule: docs/rules/catalog.md, Old addresses
 */
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { isFirstCategory } from '../../shared/catalog';
import { oldAddressOf } from '../../shared/oldAddresses';
import { factsChanged } from '../db/core/changes';
import type { Connection, Tx } from '../db/core/transact';
import { categories, productAliases, products } from '../db/schema/tables';

/** @param path as `oldAddressOf`, `shopifyAddressOf`, or `wooAddressOf` returned it */
export type Alias = { path: string; productId: string };

/** Why an old address can't lead to its product: a category's page has it, or it leads to another product. */
export type AliasClash = 'category' | 'product';

/**
 * Keeps old addresses for products. An address that leads to another product on sale is left there; one that leads to a
 * deleted product moves. Repeating it changes nothing.
 * @param aliases each path once
 * @returns the paths that are new or have moved, with the product that each led to before
 */
export async function keepAliases(tx: Tx, aliases: readonly Alias[], now: Date): Promise<Map<string, string | null>> {
  if (aliases.length === 0) return new Map();
  factsChanged(tx); // cached redirects are dropped
  const deleted = tx.select({ id: products.id }).from(products).where(isNotNull(products.archivedAt));
  const { rows } = await tx.execute<{ path: string; before: string | null }>(sql`
    with kept as materialized (
      select path, product_id from jsonb_to_recordset(${JSON.stringify(aliases.map(rowOf))}::jsonb)
        as kept(path text, product_id uuid)
    ), former as materialized (
      select path, product_id from ${productAliases} where path in (select path from kept)
    ), written as (
      insert into ${productAliases} (path, product_id, created_at)
      select path, product_id, ${now.toISOString()}::timestamptz from kept order by path
      on conflict (path) do update set product_id = excluded.product_id
      where ${productAliases.productId} <> excluded.product_id and ${productAliases.productId} in (${deleted})
      returning path
    )
    select path, former.product_id as before from written left join former using (path)`);
  return new Map(rows.map(({ path, before }) => [path, before]));
}

/**
 * Takes old addresses away again. One that led to another product before leads there again; one that leads to a third
 * product meanwhile stays.
 * @param aliases with what `keepAliases` returned
 */
export async function takeBackAliases(tx: Tx, aliases: readonly (Alias & { before: string | null })[]): Promise<void> {
  if (aliases.length === 0) return;
  factsChanged(tx);
  const given = aliases.map(({ before, ...alias }) => ({ ...rowOf(alias), before }));
  await tx.execute(sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(path text, product_id uuid, before uuid)
    ), moved as (
      update ${productAliases} as alias set product_id = given.before from given
      where alias.path = given.path and alias.product_id = given.product_id and given.before is not null
    )
    delete from ${productAliases} as alias using given
    where alias.path = given.path and alias.product_id = given.product_id and given.before is null`);
}

const rowOf = ({ path, productId }: Alias) => ({ path, product_id: productId });

/**
 * Looks for clashes before an import, for its preview.
 * @param aliases `productId` is undefined for a product that does not exist yet
 * @returns the clashes, by path
 */
export async function findAliasClashes(
  connection: Connection,
  aliases: readonly { path: string; productId: string | undefined }[],
): Promise<Map<string, AliasClash>> {
  const clashes = new Map<string, AliasClash>();
  if (aliases.length === 0) return clashes;
  const paths = aliases.map(({ path }) => path);
  const owners = await findOwners(connection, paths);
  for (const { path, productId } of aliases) {
    const owner = owners.get(path);
    if (owner !== undefined && owner !== productId) clashes.set(path, 'product');
  }
  for (const path of await findCategoryPages(connection, paths)) clashes.set(path, 'category');
  return clashes;
}

/** @returns the products on sale that the paths lead to */
async function findOwners(connection: Connection, paths: readonly string[]): Promise<Map<string, string>> {
  const rows = await connection
    .select({ path: productAliases.path, productId: productAliases.productId })
    .from(productAliases)
    .innerJoin(products, eq(products.id, productAliases.productId))
    .where(and(sql`${productAliases.path} = any(${sql.param(paths)})`, sql`${products.archivedAt} is null`));
  return new Map(rows.map(({ path, productId }) => [path, productId]));
}

const categoryFolder = '/products/';

async function findCategoryPages(connection: Connection, paths: readonly string[]): Promise<string[]> {
  const names = paths
    .filter((path) => path.startsWith(categoryFolder))
    .map((path) => path.slice(categoryFolder.length));
  if (names.length === 0) return [];
  const name = sql<string>`lower(${categories.name})`;
  const found = await connection.select({ name }).from(categories).where(inArray(name, names));
  const taken = new Set(found.map((category) => category.name));
  return names.filter((each) => taken.has(each) || isFirstCategory(each)).map((each) => `${categoryFolder}${each}`);
}

/**
 * Finds the product that an old address leads to. One look-up by key, however many products there are.
 * @param path of a request, in any spelling
 * @returns where its page is now; undefined when it is no old address
 */
export async function findAliased(connection: Connection, path: string): Promise<string | undefined> {
  const stored = oldAddressOf(path);
  if (stored === undefined) return undefined;
  const [found] = await connection
    .select({ id: products.id, slug: products.slug })
    .from(productAliases)
    .innerJoin(products, eq(products.id, productAliases.productId))
    .where(eq(productAliases.path, stored));
  if (!found) return undefined;
  return found.slug === null ? `/customer/view/product/${found.id}` : `/p/${found.slug}`;
}
