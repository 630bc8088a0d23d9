-- Readable addresses of products.
CREATE TABLE "product_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "slug" text;
--> statement-breakpoint
-- The first product of a name gets it as its address, those on sale before deleted ones; the others get a part of their
-- id, too. The feed's trigger would move each product on its own, so all are moved at once.
ALTER TABLE products DISABLE TRIGGER USER;
--> statement-breakpoint
UPDATE products SET slug = named.slug, change_cursor = position + nth
FROM catalog_cursor, (
  SELECT id, nth, CASE WHEN place = 1 THEN base ELSE rtrim(left(base, 71), '-') || '-' || left(id::text, 8) END AS slug
  FROM (
    SELECT id, base, row_number() OVER (ORDER BY created_at, id) AS nth,
      row_number() OVER (PARTITION BY base ORDER BY archived_at IS NOT NULL, created_at, id) AS place
    FROM (
      SELECT id, created_at, archived_at, coalesce(nullif(trim(BOTH '-' FROM left(trim(BOTH '-' FROM
        regexp_replace(lower(replace(regexp_replace(normalize(name, NFKD), U&'[\0300-\036F''\2019]', '', 'g'),
          '&', ' and ')), '[^a-z0-9]+', '-', 'g')), 72)), ''), 'product') AS base
      FROM products
    ) AS bases
  ) AS places
) AS named WHERE named.id = products.id;
--> statement-breakpoint
UPDATE catalog_cursor SET position = position + (SELECT count(*) FROM products);
--> statement-breakpoint
ALTER TABLE products ENABLE TRIGGER USER;
--> statement-breakpoint
INSERT INTO product_slugs (slug, product_id, created_at)
SELECT slug, id, now() FROM products ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- Deferred, so that an address is taken before its product is inserted.
ALTER TABLE "product_slugs" ADD CONSTRAINT "product_slugs_product" FOREIGN KEY ("product_id") REFERENCES "products" ("id")
  DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
CREATE INDEX "product_slugs_begun" ON "product_slugs" USING btree ("slug" text_pattern_ops);
