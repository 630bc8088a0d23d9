-- The cards of lists that show one product per group of sizes.
CREATE TABLE "product_cards" (
	"product_id" uuid NOT NULL,
	"list" uuid NOT NULL,
	"price_cents" integer NOT NULL,
	"name" text NOT NULL,
	"heat_level" smallint,
	"created_at" timestamp with time zone NOT NULL,
	"bestseller_rank" integer,
	"first_at" timestamp with time zone NOT NULL,
	"first_id" uuid NOT NULL,
	CONSTRAINT "product_cards_product_id_list_pk" PRIMARY KEY("product_id","list")
);
--> statement-breakpoint
ALTER TABLE "product_cards" ADD CONSTRAINT "product_cards_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The cards of these products, as they should be. A list is a category, or (without an id of one) all products. The ids
-- must contain all sizes of a group or none.
CREATE FUNCTION cards_of_products(ids uuid[]) RETURNS SETOF product_cards LANGUAGE sql STABLE AS $$
  SELECT id, list, price_cents, lower(name), heat_level, created_at, best_rank, first_at, first_id FROM (
    SELECT products.*, list,
      row_number() OVER (shown ORDER BY NOT (availability AND quantity > 0), price_cents, id) AS place,
      first_value(created_at) OVER (shown ORDER BY created_at, id) AS first_at,
      first_value(id) OVER (shown ORDER BY created_at, id) AS first_id,
      min(bestseller_rank) OVER shown AS best_rank
    FROM products, LATERAL (VALUES (category_id), ('00000000-0000-0000-0000-000000000000')) AS lists (list)
    WHERE id = ANY (ids) AND archived_at IS NULL
    WINDOW shown AS (PARTITION BY list, coalesce(size_group, id))
  ) AS sizes WHERE place = 1
$$;
--> statement-breakpoint
CREATE FUNCTION write_cards(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH wanted AS MATERIALIZED (SELECT * FROM cards_of_products(ids)),
  gone AS (
    DELETE FROM product_cards WHERE product_id = ANY (ids)
      AND (product_id, list) NOT IN (SELECT product_id, list FROM wanted)
  )
  INSERT INTO product_cards SELECT * FROM wanted
  ON CONFLICT (product_id, list) DO UPDATE SET
    (price_cents, name, heat_level, created_at, bestseller_rank, first_at, first_id) = (excluded.price_cents,
      excluded.name, excluded.heat_level, excluded.created_at, excluded.bestseller_rank, excluded.first_at, excluded.first_id)
    WHERE product_cards IS DISTINCT FROM excluded;
END $$;
--> statement-breakpoint
-- At commit, under the lock of the feed's position: of two transactions that change sizes of one group, the second sees
-- what the first has committed, and neither waits for the other's products.
CREATE FUNCTION keep_cards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM catalog_cursor FOR UPDATE;
  PERFORM write_cards(ARRAY(
    SELECT id FROM products WHERE size_group IN (OLD.size_group, NEW.size_group) UNION SELECT coalesce(NEW.id, OLD.id)));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER products_listed_insert AFTER INSERT OR DELETE ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_cards();
CREATE CONSTRAINT TRIGGER products_listed_update AFTER UPDATE ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.category_id, OLD.size_group, OLD.price_cents, OLD.name, OLD.heat_level, OLD.bestseller_rank, OLD.created_at,
      OLD.archived_at IS NULL, NEW.size_group IS NOT NULL AND OLD.availability AND OLD.quantity > 0)
    IS DISTINCT FROM (NEW.category_id, NEW.size_group, NEW.price_cents, NEW.name, NEW.heat_level, NEW.bestseller_rank,
      NEW.created_at, NEW.archived_at IS NULL, NEW.size_group IS NOT NULL AND NEW.availability AND NEW.quantity > 0))
  EXECUTE FUNCTION keep_cards();
--> statement-breakpoint
CREATE FUNCTION count_cards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_counts
    SELECT 'cards', list::text, '', CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END FROM changed GROUP BY list;
  PERFORM add_up_counts();
  RETURN NULL;
END $$;
CREATE TRIGGER product_cards_counted_insert AFTER INSERT ON product_cards
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_cards();
CREATE TRIGGER product_cards_counted_delete AFTER DELETE ON product_cards
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_cards();
--> statement-breakpoint
CREATE INDEX "product_cards_by_first" ON "product_cards" USING btree ("list","first_at","first_id","product_id");--> statement-breakpoint
CREATE INDEX "product_cards_by_rank" ON "product_cards" USING btree ("list","bestseller_rank","first_at","first_id","product_id");--> statement-breakpoint
CREATE INDEX "product_cards_by_price" ON "product_cards" USING btree ("list","price_cents","product_id");--> statement-breakpoint
CREATE INDEX "product_cards_by_heat" ON "product_cards" USING btree ("list","heat_level","created_at","product_id");--> statement-breakpoint
CREATE INDEX "product_cards_by_name" ON "product_cards" USING btree ("list","name" collate "C","product_id");
--> statement-breakpoint
-- The cards of older products are written after the migration (../fillCards.ts), whose locks must not be held that long.
CREATE TABLE "cards_to_fill" (
	"after" uuid NOT NULL
);
--> statement-breakpoint
INSERT INTO cards_to_fill SELECT '00000000-0000-0000-0000-000000000000' WHERE EXISTS (SELECT FROM products);
