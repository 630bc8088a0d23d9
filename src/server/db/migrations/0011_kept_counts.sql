-- How many rows the lists have that everybody opens: counting 100,000 of them takes longer than reading a page, and what
-- a category can be filtered by longer still. Each change is appended and a count is their sum, so nobody waits for
-- another's transaction, as for one row that holds the number; now and then the changes of a count are added up.
CREATE TABLE "kept_counts" (
	"list" text NOT NULL,
	"part" text NOT NULL,
	"value" text NOT NULL,
	"rows" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "kept_counts_of" ON "kept_counts" USING btree ("list","part","value","rows");
--> statement-breakpoint
-- One at a time, and whoever finds another at it leaves it to that one.
CREATE FUNCTION add_up_counts() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF random() > 0.004 OR NOT pg_try_advisory_xact_lock(hashtext('kept counts')) THEN RETURN; END IF;
  WITH taken AS (
    DELETE FROM kept_counts WHERE (list, part, value) IN (
      SELECT list, part, value FROM kept_counts GROUP BY list, part, value HAVING count(*) > 1)
    RETURNING *
  )
  INSERT INTO kept_counts SELECT list, part, value, sum(rows) FROM taken GROUP BY list, part, value HAVING sum(rows) <> 0;
END $$;
--> statement-breakpoint
-- What a product counts for: its category's products, and, while it is sold, what they can be filtered by. (Strict, or
-- the planner would put its text into the query, and there fail at the whole row.)
CREATE FUNCTION counts_of_product(product products) RETURNS TABLE (list text, part text, value text)
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT 'products', product.category_id::text, CASE WHEN product.archived_at IS NULL THEN 'listed' ELSE 'archived' END
  UNION ALL
  SELECT facet, product.category_id::text, facet_value FROM (
    SELECT 'heatLevels' AS facet, product.heat_level::text AS facet_value
    UNION ALL SELECT 'origins', product.origin
    UNION ALL SELECT DISTINCT 'allergens', lower(allergen) FROM unnest(product.allergens) AS allergen
  ) AS facets WHERE facet_value IS NOT NULL AND product.archived_at IS NULL
$$;
--> statement-breakpoint
CREATE FUNCTION count_new_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_counts
    SELECT counted.list, counted.part, counted.value, count(*)
    FROM made JOIN products USING (id), counts_of_product(products) AS counted
    GROUP BY counted.list, counted.part, counted.value;
  PERFORM add_up_counts();
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_changed_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_counts
    SELECT list, part, value, sum(change) FROM (
      SELECT *, -1 AS change FROM counts_of_product(OLD)
      UNION ALL SELECT *, 1 FROM counts_of_product(NEW)) AS changes
    GROUP BY list, part, value HAVING sum(change) <> 0;
  PERFORM add_up_counts();
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_gone_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_counts SELECT list, part, value, -1 FROM counts_of_product(OLD);
  PERFORM add_up_counts();
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_counted_insert AFTER INSERT ON products
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_new_products();
--> statement-breakpoint
CREATE TRIGGER products_counted_update AFTER UPDATE ON products
  FOR EACH ROW WHEN ((OLD.category_id, OLD.heat_level, OLD.origin, OLD.allergens, OLD.archived_at IS NULL)
    IS DISTINCT FROM (NEW.category_id, NEW.heat_level, NEW.origin, NEW.allergens, NEW.archived_at IS NULL))
  EXECUTE FUNCTION count_changed_product();
--> statement-breakpoint
CREATE TRIGGER products_counted_delete AFTER DELETE ON products
  FOR EACH ROW EXECUTE FUNCTION count_gone_product();
--> statement-breakpoint
CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO kept_counts SELECT 'orders', status, '', count(*) FROM made GROUP BY status;
  ELSE
    INSERT INTO kept_counts VALUES ('orders', OLD.status, '', -1);
    IF TG_OP = 'UPDATE' THEN INSERT INTO kept_counts VALUES ('orders', NEW.status, '', 1); END IF;
  END IF;
  PERFORM add_up_counts();
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_counted_insert AFTER INSERT ON orders
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE TRIGGER orders_counted_update AFTER UPDATE ON orders
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE TRIGGER orders_counted_delete AFTER DELETE ON orders FOR EACH ROW EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO kept_counts SELECT 'users', role, is_enabled::text, count(*) FROM made GROUP BY role, is_enabled;
  ELSE
    INSERT INTO kept_counts VALUES ('users', OLD.role, OLD.is_enabled::text, -1);
    IF TG_OP = 'UPDATE' THEN INSERT INTO kept_counts VALUES ('users', NEW.role, NEW.is_enabled::text, 1); END IF;
  END IF;
  PERFORM add_up_counts();
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_counted_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_users();
--> statement-breakpoint
CREATE TRIGGER users_counted_update AFTER UPDATE ON users
  FOR EACH ROW WHEN ((OLD.role, OLD.is_enabled) IS DISTINCT FROM (NEW.role, NEW.is_enabled)) EXECUTE FUNCTION count_users();
--> statement-breakpoint
CREATE TRIGGER users_counted_delete AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION count_users();
--> statement-breakpoint
INSERT INTO kept_counts
  SELECT counted.list, counted.part, counted.value, count(*) FROM products, counts_of_product(products) AS counted
  GROUP BY counted.list, counted.part, counted.value
  UNION ALL SELECT 'orders', status, '', count(*) FROM orders GROUP BY status
  UNION ALL SELECT 'users', role, is_enabled::text, count(*) FROM users GROUP BY role, is_enabled;
--> statement-breakpoint
-- Words that look like a mistyped one. The threshold is what so many wrong letters leave of a word of that length: with
-- a lower one thousands of words are compared that cannot be meant. (words_like stays for processes of the version before.)
CREATE FUNCTION words_near(typed text, swapped text[], threshold real) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
  RETURN QUERY SELECT word FROM search_words WHERE word = ANY (swapped);
  RETURN QUERY SELECT word FROM search_words
    WHERE word % typed AND length(word) BETWEEN length(typed) - 2 AND length(typed) + 2
    ORDER BY similarity(word, typed) DESC LIMIT 100;
END $$;
--> statement-breakpoint
CREATE INDEX "search_words_begun" ON "search_words" USING btree ("word" text_pattern_ops);
--> statement-breakpoint
-- The search may read rows from the table's start until it has enough: from the same start each time, or the second page
-- of a common word would not go on where the first one ended. A login that does not own the database leaves it as it is.
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET synchronize_seqscans = off', current_database());
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$;
