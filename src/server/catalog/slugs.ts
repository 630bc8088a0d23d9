/** Readable addresses of products, /p/{slug}. Rule: docs/rules/catalog.md, Readable addresses */
import { eq, inArray, like, or, sql } from 'drizzle-orm';
import { slugOf } from '../../shared/slugs';
import { productMessages } from '../../shared/catalogStaff';
import { type Connection, type Tx } from '../db/core/transact';
import { products, productSlugs } from '../db/schema/tables';
import { conflict } from '../http/core/problems';

type Wanted = { productId: string; name: string; slug: string | null };

/**
 * Takes an address for a product: the wanted one, or one that is made from its name. A product may take a former address
 * of its own again.
 * @returns the address
 * @throws Problem 409 slug_taken when it is another product's present or former one
 */
export async function takeSlug(tx: Tx, { productId, name, slug: wanted }: Wanted, now: Date): Promise<string> {
  if (wanted !== null) {
    if (await take(tx, productId, wanted, now)) return wanted;
    throw slugTaken();
  }
  for (;;) {
    const slug = await findFreeSlug(tx, slugOf(name) || 'product', productId);
    if (await take(tx, productId, slug, now)) return slug; // else another product of that name was faster
  }
}

const slugTaken = () => {
  const message = productMessages.slugTaken;
  return conflict('slug_taken', message, [{ field: 'slug', message }]);
};

/**
 * The same for new products at once. Wanted addresses are taken before those that are made from names.
 * @returns the addresses, by product
 */
export async function takeNewSlugs(tx: Tx, wanted: readonly Wanted[], now: Date): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  const takeAll = async (asked: readonly Slug[]) => {
    for (const { productId, slug } of await takeFree(tx, asked, now)) slugs.set(productId, slug);
  };
  const chosen = wanted.flatMap(({ productId, slug }) => (slug === null ? [] : [{ productId, slug }]));
  await takeAll(chosen);
  if (slugs.size < chosen.length) throw slugTaken();
  while (slugs.size < wanted.length) {
    const open = wanted.filter(({ productId }) => !slugs.has(productId)); // again: another product of that name was faster
    const bases = open.map(({ name }) => slugOf(name) || 'product');
    const taken = await findTaken(tx, bases);
    await takeAll(
      open.map(({ productId }, at) => {
        const slug = freeSlug(bases[at] ?? '', taken);
        taken.add(slug);
        return { productId, slug };
      }),
    );
  }
  return slugs;
}

type Slug = { productId: string; slug: string };

/** @returns those that no other product had */
async function takeFree(tx: Tx, asked: readonly Slug[], now: Date): Promise<Slug[]> {
  if (asked.length === 0) return [];
  const rows = asked.map((each) => ({ ...each, createdAt: now }));
  const { productId, slug } = productSlugs;
  return tx.insert(productSlugs).values(rows).onConflictDoNothing().returning({ productId, slug });
}

/** @returns the addresses that are one of these, or one of these with a number */
async function findTaken(tx: Tx, bases: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.execute<{ slug: string }>(sql`
    select taken.slug from unnest(${sql.param([...new Set(bases)])}::text[]) as base, lateral (
      select slug from ${productSlugs} where slug = base
      union all select slug from ${productSlugs} where slug ~>=~ (base || '-') and slug ~<~ (base || '.')
    ) as taken`); // '.' comes after '-', so the index has what begins with the base and a hyphen in one piece
  return new Set(rows.map(({ slug }) => slug));
}

/** @returns whether the product has the address now */
async function take(tx: Tx, productId: string, slug: string, now: Date): Promise<boolean> {
  const taken = await tx
    .insert(productSlugs)
    .values({ slug, productId, createdAt: now })
    .onConflictDoUpdate({
      target: productSlugs.slug,
      set: { productId },
      setWhere: eq(productSlugs.productId, productId),
    })
    .returning();
  return taken.length > 0;
}

/** @returns `base`, or the first of `base-2`, `base-3` … that no other product has */
async function findFreeSlug(tx: Tx, base: string, productId: string): Promise<string> {
  const rows = await tx
    .select({ slug: productSlugs.slug })
    .from(productSlugs)
    .where(
      sql`${or(eq(productSlugs.slug, base), like(productSlugs.slug, `${base}-%`))} and ${productSlugs.productId} <> ${productId}`,
    );
  return freeSlug(base, new Set(rows.map(({ slug }) => slug)));
}

function freeSlug(base: string, taken: ReadonlySet<string>): string {
  let slug = base;
  for (let count = 2; taken.has(slug); count += 1) slug = `${base}-${count}`;
  return slug;
}

/** @returns which product has or had each address, by address */
export async function findSlugs(connection: Connection, slugs: readonly string[]): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map();
  const rows = await connection
    .select({ slug: productSlugs.slug, productId: productSlugs.productId })
    .from(productSlugs)
    .where(sql`${productSlugs.slug} = any(${sql.param(slugs)})`);
  return new Map(rows.map(({ slug, productId }) => [slug, productId]));
}

/** Forgets an address of a product, unless it's the present one. Then another product may have it. */
export async function forgetSlug(tx: Tx, { productId, slug }: Slug): Promise<void> {
  await tx.execute(sql`
    delete from ${productSlugs} where slug = ${slug} and product_id = ${productId}
      and not exists (select from ${products} where id = ${productId} and ${products.slug} = ${slug})`);
}

/** Frees all addresses of products that are archived, so that other products may have them. */
export async function releaseSlugs(tx: Tx, productIds: readonly string[]): Promise<void> {
  await tx
    .update(products)
    .set({ slug: null })
    .where(inArray(products.id, [...productIds]));
  await tx.delete(productSlugs).where(inArray(productSlugs.productId, [...productIds]));
}

/** Gives products without an address one that is made from their names. */
export async function giveSlugs(tx: Tx, unnamed: readonly { id: string; name: string }[], now: Date): Promise<void> {
  const wanted = unnamed.map(({ id, name }) => ({ productId: id, name, slug: null }));
  for (const [id, slug] of await takeNewSlugs(tx, wanted, now))
    await tx.update(products).set({ slug }).where(eq(products.id, id));
}
