-- Readable addresses of products.
CREATE TABLE "product_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "slug" text;
--> statement-breakpoint
-- The first product of a name gets it as its address, the others with a part of their id.
UPDATE products SET slug = named.slug FROM (
  SELECT id, base || CASE WHEN place = 1 THEN '' ELSE '-' || left(id::text, 8) END AS slug FROM (
    SELECT id, base, row_number() OVER (PARTITION BY base ORDER BY created_at, id) AS place FROM (
      SELECT id, created_at, coalesce(nullif(trim(BOTH '-' FROM
        left(regexp_replace(lower(replace(
          regexp_replace(normalize(name, NFKD), U&'[\0300-\036F]', '', 'g'), '&', ' and ')), '[^a-z0-9]+', '-', 'g'), 72)), ''), 'product') AS base
      FROM products
    ) AS bases
  ) AS places
) AS named WHERE named.id = products.id;
--> statement-breakpoint
INSERT INTO product_slugs (slug, product_id, created_at)
SELECT slug, id, now() FROM products ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- Deferred, so that an address is taken before its product is inserted.
ALTER TABLE "product_slugs" ADD CONSTRAINT "product_slugs_product" FOREIGN KEY ("product_id") REFERENCES "products" ("id")
  DEFERRABLE INITIALLY DEFERRED;
