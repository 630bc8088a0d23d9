import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pictures, products } from '../../src/server/db/schema/tables';
import type { TestShop } from './shop';

/** A product with photos of these descriptions, without files. */
export async function photographed(shop: TestShop, ...alts: string[]) {
  const facts = { widths: [160, 320, 640, 1280], placeholder: '#b98a5a' };
  const photos = alts.map((alt) => ({ ...facts, hash: randomBytes(16).toString('hex'), alt }));
  const size = { width: 640, height: 640, createdAt: new Date() };
  await shop.db.insert(pictures).values(photos.map(({ hash }) => ({ ...facts, ...size, hash })));
  const { id } = await shop.stock();
  const [first, ...others] = photos;
  const fields = { pictureHash: first?.hash ?? null, pictureAlt: first?.alt ?? null, photos: others };
  await shop.db.update(products).set(fields).where(eq(products.id, id));
  return { id, hashes: photos.map(({ hash }) => hash) };
}
