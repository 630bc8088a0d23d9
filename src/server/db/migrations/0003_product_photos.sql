-- Several photos per product. The first stays in picture_hash.
DROP INDEX "picture_uploads_current";--> statement-breakpoint
ALTER TABLE "picture_uploads" ADD COLUMN "place" smallint;--> statement-breakpoint
ALTER TABLE "picture_uploads" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "picture_uploads" ADD COLUMN "alt" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "photos" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "picture_uploads_added" ON "picture_uploads" USING btree ("product_id","hash") WHERE place is not null and state in ('processing', 'failed');--> statement-breakpoint
CREATE UNIQUE INDEX "picture_uploads_current" ON "picture_uploads" USING btree ("product_id") WHERE place is null and state in ('processing', 'failed');--> statement-breakpoint
-- The product form doesn't change photos, so a new photo doesn't make an open form stale.
CREATE OR REPLACE FUNCTION product_form_differs(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT to_jsonb(was) - not_in_form IS DISTINCT FROM to_jsonb(is_now) - not_in_form
  FROM (SELECT '{quantity,version,edited_version,change_cursor,created_at,picture_hash,picture_alt,photos,archived_at,bestseller_rank}'::text[]
    AS not_in_form) AS named
$$;
