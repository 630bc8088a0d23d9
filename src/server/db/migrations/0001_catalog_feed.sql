-- The catalog's change feed, kept by the database so that no road to a product can forget it.
-- A changed fact raises products.version and moves the product in the feed; a stock change that starts or ends at 10 or
-- less moves it too; any other sale moves neither. Every one of them is told to all processes on the channel 'catalog'.
INSERT INTO catalog_cursor ("only", position) VALUES (true, 0);
--> statement-breakpoint
CREATE FUNCTION product_facts_differ(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT (was.category_id, was.name, was.description, was.price_cents, was.availability, was.picture_hash, was.picture_alt,
          was.unit_size, was.origin, was.heat_level, was.allergens, was.other_names, was.archived_at)
    IS DISTINCT FROM
         (is_now.category_id, is_now.name, is_now.description, is_now.price_cents, is_now.availability, is_now.picture_hash,
          is_now.picture_alt, is_now.unit_size, is_now.origin, is_now.heat_level, is_now.allergens, is_now.other_names,
          is_now.archived_at)
$$;
--> statement-breakpoint
CREATE FUNCTION raise_product_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_version BEFORE UPDATE ON products
  FOR EACH ROW WHEN (product_facts_differ(OLD, NEW)) EXECUTE FUNCTION raise_product_version();
--> statement-breakpoint
-- Positions are given out when the transaction commits, under the lock of catalog_cursor's one row: a later position is
-- never visible before an earlier one, and no transaction waits for another's products while it holds that lock.
CREATE FUNCTION move_product_in_feed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE next_position bigint;
BEGIN
  UPDATE catalog_cursor SET position = position + 1 RETURNING position INTO next_position;
  UPDATE products SET change_cursor = next_position WHERE id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER products_feed_insert AFTER INSERT ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION move_product_in_feed();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER products_feed_update AFTER UPDATE ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (product_facts_differ(OLD, NEW) OR (OLD.quantity <> NEW.quantity AND least(OLD.quantity, NEW.quantity) <= 10))
  EXECUTE FUNCTION move_product_in_feed();
--> statement-breakpoint
CREATE FUNCTION move_category_in_feed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE next_position bigint;
BEGIN
  UPDATE catalog_cursor SET position = position + 1 RETURNING position INTO next_position;
  UPDATE categories SET change_cursor = next_position WHERE id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER categories_feed_insert AFTER INSERT ON categories
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION move_category_in_feed();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER categories_feed_update AFTER UPDATE ON categories
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.title, OLD.description) IS DISTINCT FROM (NEW.name, NEW.title, NEW.description))
  EXECUTE FUNCTION move_category_in_feed();
--> statement-breakpoint
-- 'facts': drop every kept answer; a product's id: only its quantity changed.
CREATE FUNCTION tell_catalog_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', TG_ARGV[0]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tell_stock_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', NEW.id::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER categories_told AFTER INSERT OR UPDATE OR DELETE ON categories
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalog_change('facts');
--> statement-breakpoint
CREATE TRIGGER products_told_insert AFTER INSERT ON products
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalog_change('facts');
--> statement-breakpoint
CREATE TRIGGER products_told_facts AFTER UPDATE ON products
  FOR EACH ROW WHEN (product_facts_differ(OLD, NEW)) EXECUTE FUNCTION tell_catalog_change('facts');
--> statement-breakpoint
CREATE TRIGGER products_told_stock AFTER UPDATE ON products
  FOR EACH ROW WHEN (OLD.quantity <> NEW.quantity) EXECUTE FUNCTION tell_stock_change();
