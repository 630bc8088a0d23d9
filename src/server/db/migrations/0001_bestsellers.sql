-- Bestsellers, and the orders of the storefront's lists.
ALTER TABLE "products" ADD COLUMN "bestseller_rank" integer;
--> statement-breakpoint
CREATE INDEX "products_listed_by_name" ON "products" USING btree (lower("name") collate "C","id") WHERE archived_at is null;
--> statement-breakpoint
CREATE INDEX "products_listed_by_heat" ON "products" USING btree ("heat_level","created_at","id") WHERE archived_at is null;
--> statement-breakpoint
CREATE INDEX "products_listed_by_rank" ON "products" USING btree ("bestseller_rank","created_at","id") WHERE archived_at is null;
--> statement-breakpoint
CREATE INDEX "products_category_by_name" ON "products" USING btree ("category_id",lower("name") collate "C","id") WHERE archived_at is null;
--> statement-breakpoint
CREATE INDEX "products_category_by_price" ON "products" USING btree ("category_id","price_cents","id") WHERE archived_at is null;
--> statement-breakpoint
CREATE INDEX "products_category_by_heat" ON "products" USING btree ("category_id","heat_level","created_at","id") WHERE archived_at is null;
--> statement-breakpoint
CREATE INDEX "products_category_by_rank" ON "products" USING btree ("category_id","bestseller_rank","created_at","id") WHERE archived_at is null;
--> statement-breakpoint
-- A rank is no fact: it changes every night, and must not make an open form stale. Devices and cached responses get it.
CREATE OR REPLACE FUNCTION product_form_differs(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT to_jsonb(was) - not_in_form IS DISTINCT FROM to_jsonb(is_now) - not_in_form
  FROM (SELECT '{quantity,version,edited_version,change_cursor,created_at,picture_hash,picture_alt,archived_at,bestseller_rank}'::text[]
    AS not_in_form) AS named
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_facts_differ(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT to_jsonb(was) - no_facts IS DISTINCT FROM to_jsonb(is_now) - no_facts
  FROM (SELECT '{quantity,version,edited_version,change_cursor,created_at,bestseller_rank}'::text[] AS no_facts) AS named
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER products_feed_rank AFTER UPDATE ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.bestseller_rank IS DISTINCT FROM NEW.bestseller_rank)
  EXECUTE FUNCTION move_product_in_feed();
--> statement-breakpoint
CREATE TRIGGER products_told_rank AFTER UPDATE ON products
  FOR EACH ROW WHEN (OLD.bestseller_rank IS DISTINCT FROM NEW.bestseller_rank) EXECUTE FUNCTION tell_catalog_change('facts');
