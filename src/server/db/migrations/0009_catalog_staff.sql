-- Staff's side of the catalog: pictures on their way, what is looked for in the product list, and forms that are stale.
-- All names of a product as one text, for searching a part of them. (Declared immutable for its index: of a list of texts
-- it is.)
CREATE FUNCTION product_names(name text, other_names text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT pg_catalog.lower(name || ' ' || pg_catalog.array_to_string(other_names, ' '))
$$;
--> statement-breakpoint
CREATE TABLE "picture_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_at" timestamp with time zone,
	"failure" text,
	"by_user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "picture_uploads_state" CHECK ("picture_uploads"."state" in ('processing', 'failed', 'ready', 'replaced'))
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "edited_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "picture_uploads" ADD CONSTRAINT "picture_uploads_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "picture_uploads" ADD CONSTRAINT "picture_uploads_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "picture_uploads_current" ON "picture_uploads" USING btree ("product_id") WHERE state in ('processing', 'failed');--> statement-breakpoint
CREATE INDEX "picture_uploads_processing" ON "picture_uploads" USING btree ("created_at") WHERE state = 'processing';--> statement-breakpoint
CREATE INDEX "products_names" ON "products" USING gin (product_names("name", "other_names") gin_trgm_ops) WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "products_by_name" ON "products" USING btree (lower("name"),"id") WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "products_by_price" ON "products" USING btree ("price_cents","id") WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "products_by_cost" ON "products" USING btree ("unit_cost_cents","id") WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "products_archived" ON "products" USING btree ("archived_at","id") WHERE archived_at is not null;--> statement-breakpoint
CREATE INDEX "products_all_of_category" ON "products" USING btree ("category_id");--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_cost" CHECK ("products"."unit_cost_cents" >= 0);
--> statement-breakpoint
UPDATE products SET edited_version = version;
--> statement-breakpoint
-- What a product's form can change.
CREATE FUNCTION product_form_differs(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT (was.category_id, was.name, was.description, was.price_cents, was.availability, was.unit_size, was.origin,
          was.heat_level, was.allergens, was.other_names, was.unit_cost_cents)
    IS DISTINCT FROM
         (is_now.category_id, is_now.name, is_now.description, is_now.price_cents, is_now.availability, is_now.unit_size,
          is_now.origin, is_now.heat_level, is_now.allergens, is_now.other_names, is_now.unit_cost_cents)
$$;
--> statement-breakpoint
-- The unit cost is shown to nobody but staff, and still moves the version: two forms must not overwrite each other's.
CREATE OR REPLACE FUNCTION product_facts_differ(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT product_form_differs(was, is_now)
    OR (was.picture_hash, was.picture_alt, was.archived_at)
      IS DISTINCT FROM (is_now.picture_hash, is_now.picture_alt, is_now.archived_at)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION raise_product_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  IF product_form_differs(OLD, NEW) THEN NEW.edited_version := NEW.version; END IF;
  RETURN NEW;
END $$;
