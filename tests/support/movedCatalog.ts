/** Compares a shop's catalog with what a former shop had, size by size, field by field, and photo by photo. */
import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { plainTextOf, type OldProduct, type OldShop } from './oldShops';

export type Moved = {
  products: readonly OldProduct[];
  /** The id of each photo, by its link. */
  photoIds: ReadonlyMap<string, string>;
  altOf: OldShop['altOf'];
  /** The photos that the products had before, by SKU: they stay first. */
  photosBefore?: ReadonlyMap<string, string>;
};

type Found = {
  sku: string;
  id: string;
  group: string | null;
  facts: object;
  /** All changes of its stock. */
  moved: number;
  photos: { id: string; alt: string | null }[];
  /** Entries of the audit log about photos that were added. */
  added: number;
};

/** @returns what differs, one sentence each */
export async function compareMoved(pool: Pool, moved: Moved): Promise<string[]> {
  const { rows } = await pool.query<Found>(findProducts);
  const wrong: string[] = [];
  const bySku = new Map<string, Found>();
  for (const row of rows) {
    if (bySku.has(row.sku)) wrong.push(`${row.sku} is there twice`);
    bySku.set(row.sku, row);
  }
  const groups = new Map<string, string>();
  for (const product of moved.products) {
    const own = new Set<string | null>();
    for (const [nth, variant] of product.variants.entries()) {
      const found = bySku.get(variant.sku);
      if (!found) {
        wrong.push(`${variant.sku} is missing`);
        continue;
      }
      own.add(found.group);
      const had = moved.photosBefore?.get(variant.sku);
      const photos = product.photos.map((link, at) => ({
        id: moved.photoIds.get(link) ?? '',
        alt: moved.altOf(product, at),
      }));
      const before = had === undefined ? [] : [{ id: had, alt: null }];
      const expected = { facts: factsOf(product, nth), moved: variant.quantity, photos: [...before, ...photos] };
      const is = { facts: found.facts, moved: found.moved, photos: found.photos };
      if (!isDeepStrictEqual(is, expected))
        wrong.push(`${variant.sku} is ${JSON.stringify(is)}, not ${JSON.stringify(expected)}`);
      if (found.added !== expected.photos.length)
        wrong.push(`${variant.sku} got ${found.added} photos, not ${expected.photos.length}`);
    }
    const [group, ...others] = own;
    if (others.length > 0 || product.variants.length > 1 !== (typeof group === 'string'))
      wrong.push(`the sizes of ${product.handle} are in the groups ${[...own].join(', ')}`);
    if (typeof group === 'string') {
      if (groups.has(group)) wrong.push(`${product.handle} shares its group with ${groups.get(group)}`);
      groups.set(group, product.handle);
    }
  }
  return wrong;
}

const cents = (price: string): number | null => (price === '' ? null : Math.round(Number(price) * 100));

/** What both Shopify and WooCommerce know of a size, as this shop has it. */
function factsOf({ name, html, vendor, category, tags, isTaxable, variants }: OldProduct, nth: number): object {
  const variant = variants[nth];
  if (!variant) return {};
  const isOnly = variants.length === 1;
  return {
    name,
    description: plainTextOf(html),
    category,
    priceCents: cents(variant.price),
    formerCents: cents(variant.formerPrice),
    barcode: variant.barcode || null,
    quantity: variant.quantity,
    taxable: isTaxable,
    supplier: vendor,
    tags,
    shippingGrams: variant.grams,
    unitSize: isOnly ? null : variant.size,
    netGrams: isOnly ? null : variant.grams,
  };
}

const findProducts = `
  select p.sku, p.id, p.size_group as "group",
    jsonb_build_object('name', p.name, 'description', p.description, 'category', coalesce(c.title, c.name),
      'priceCents', p.price_cents, 'formerCents', p.compare_at_cents, 'barcode', p.barcode, 'quantity', p.quantity,
      'taxable', p.taxable, 'supplier', p.supplier, 'tags', p.tags, 'shippingGrams', p.shipping_grams,
      'unitSize', p.unit_size, 'netGrams', p.net_grams) as facts,
    (select coalesce(sum(shelf), 0)::int from stock_movements m where m.product_id = p.id) as moved,
    case when p.picture_hash is null then '[]'::jsonb
      else jsonb_build_array(jsonb_build_object('id', p.picture_hash, 'alt', p.picture_alt)) end
    || (select coalesce(jsonb_agg(jsonb_build_object('id', photo ->> 'hash', 'alt', photo ->> 'alt') order by place), '[]')
        from jsonb_array_elements(p.photos) with ordinality as each(photo, place)) as photos,
    (select count(*)::int from audit_log a
     where a.target_kind = 'product' and a.target_id = p.id::text and a.action = 'product.photo_added') as added
  from products p join categories c on c.id = p.category_id
  where p.archived_at is null and p.sku like 'OLD-%'`;

/**
 * The products with these ids, or all, as they are stored, except for the counters that each change moves.
 * @returns one line for each
 */
export async function dumpProducts(pool: Pool, ids?: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select (to_jsonb(p) - '{version,edited_version,change_cursor}'::text[])::text as line
     from products p where $1::uuid[] is null or id = any($1) order by id`,
    [ids ?? null],
  );
  return rows.map(({ line }) => line);
}
