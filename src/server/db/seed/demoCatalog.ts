import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { copyFile, constants, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { v5 as uuidOf } from 'uuid';
import { toCents } from '../../../shared/money';
import type { Tx } from '../core/transact';
import { categories, pictures, products, productSlugs, stockMovements } from '../schema/tables';
import catalog from './catalog.json' with { type: 'json' };
import { type DemoProduct, withDemoSizes } from './demoSizes';
import pictureList from './pictures.json' with { type: 'json' };

/** Ids are derived from the slugs, so that links to the demo catalog work in every new shop. */
const idSpace = '6f0a2c1e-5d6b-4c57-9f0e-3a9d1b7e8c42';
const categoryId = (name: string) => uuidOf(`category/${name}`, idSpace);
const productId = (slug: string) => uuidOf(`product/${slug}`, idSpace);

/** The ids of its products, with all sizes. */
export const demoProductIds = (): string[] => withDemoSizes(catalog.products).map(({ slug }) => productId(slug));

type SeedPicture = (typeof pictureList)['hero'];
const picturesBySlug: Record<string, SeedPicture> = pictureList;

/**
 * Inserts the demo catalog into a shop without categories: categories, products, and the opening row of each product's
 * stock ledger. `copySeedPictures` copies its picture files.
 * @param parts.now the shop's clock; products are dated one second apart before it, in file order
 * @param parts.withSizes adds the further sizes of some products (demoSizes.ts)
 * @returns whether it was inserted
 */
export async function seedDemoCatalog(
  tx: Tx,
  { now, withSizes }: { now: Date; withSizes?: boolean },
): Promise<boolean> {
  const [anyCategory] = await tx.select({ id: categories.id }).from(categories).limit(1);
  if (anyCategory) return false;
  const added = await tx.insert(categories).values(categoryRows(now)).onConflictDoNothing().returning();
  // another process that started at the same time was first: the insert waited for its commit
  if (added.length === 0) return false;
  const demo: DemoProduct[] = withSizes ? withDemoSizes(catalog.products) : catalog.products;
  await tx
    .insert(pictures)
    .values(demo.map((product) => pictureRow(product, now)))
    .onConflictDoNothing();
  await tx.insert(products).values(demo.map((product, index) => productRow(product, demo.length - index, now)));
  await tx.insert(productSlugs).values(demo.map(({ slug }) => ({ slug, productId: productId(slug), createdAt: now })));
  await tx.insert(stockMovements).values(openingStock(demo, now));
  return true;
}

/**
 * Copies the prepared pictures to the folder that the shop serves. Existing files are kept.
 * @param source the folder seed/pictures of the built server
 * @param target DATA_DIR/pictures, created if missing
 */
export async function copySeedPictures(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const names = await readdir(source);
  const missing = names.filter((name) => sizeOf(join(target, name)) !== sizeOf(join(source, name)));
  await Promise.all(missing.map((name) => copyWhole(source, target, name)));
}

/** Copies atomically: a request may arrive, or the process may end, during the copy. */
async function copyWhole(source: string, target: string, name: string): Promise<void> {
  const part = join(target, `${name}.${randomUUID()}.part`);
  await copyFile(join(source, name), part, constants.COPYFILE_FICLONE);
  await rename(part, join(target, name));
}

/**
 * Undefined for a missing file. The size is compared because a power cut may leave an empty file. Synchronous, since awaiting
 * each of some hundred files at every start took ten times as long.
 */
const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

function categoryRows(now: Date): (typeof categories.$inferInsert)[] {
  return catalog.categories.map((category, index) => ({
    ...category,
    id: categoryId(category.name),
    createdAt: secondsBefore(now, catalog.categories.length - index),
  }));
}

function pictureRow({ slug, sizeOf = slug }: DemoProduct, now: Date): typeof pictures.$inferInsert {
  const { hash, width, height, widths, placeholder, keptBytes } = requirePicture(sizeOf);
  const { avif: keptAvifBytes, webp: keptWebpBytes } = keptBytes;
  return { hash, width, height, widths, placeholder, keptAvifBytes, keptWebpBytes, createdAt: now };
}

function productRow(product: DemoProduct, secondsAgo: number, now: Date): typeof products.$inferInsert {
  const { slug, category, price, pictureAlt, sizeOf, ...facts } = product;
  return {
    ...facts,
    id: productId(slug),
    categoryId: categoryId(category),
    priceCents: toCents(Number(price)),
    pictureHash: requirePicture(sizeOf ?? slug).hash,
    pictureAlt,
    slug,
    sizeGroup: sizeOf === undefined ? null : uuidOf(`sizes/${sizeOf}`, idSpace),
    createdAt: secondsBefore(now, secondsAgo),
  };
}

/** A product that starts sold out has no row: the ledger's sum is 0 without one. */
function openingStock(demo: readonly DemoProduct[], now: Date): (typeof stockMovements.$inferInsert)[] {
  return demo
    .filter(({ quantity }) => quantity > 0)
    .map(({ slug, quantity }) => ({
      productId: productId(slug),
      kind: 'adjustment',
      shelf: quantity,
      held: 0,
      reason: 'Starting stock',
      at: now,
    }));
}

function requirePicture(slug: string): SeedPicture {
  const picture = picturesBySlug[slug];
  if (!picture) throw new Error(`seed/pictures.json has no picture for ${slug}. Run npm run pictures`);
  return picture;
}

const secondsBefore = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);
