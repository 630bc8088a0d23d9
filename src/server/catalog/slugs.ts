/** Readable addresses of products, /p/{slug}. Rule: docs/rules/catalog.md, Readable addresses */
import { eq, like, or, sql } from 'drizzle-orm';
import { slugOf } from '../../shared/slugs';
import { productMessages } from '../../shared/catalogStaff';
import { type Connection, type Tx } from '../db/core/transact';
import { productSlugs } from '../db/schema/tables';
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
    const message = productMessages.slugTaken;
    throw conflict('slug_taken', message, [{ field: 'slug', message }]);
  }
  for (;;) {
    const slug = await findFreeSlug(tx, slugOf(name) || 'product', productId);
    if (await take(tx, productId, slug, now)) return slug; // else another product of that name was faster
  }
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
  const others = new Set(rows.map(({ slug }) => slug));
  let slug = base;
  for (let count = 2; others.has(slug); count += 1) slug = `${base}-${count}`;
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
