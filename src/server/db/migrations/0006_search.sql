-- Search: the words of each product that is sold, kept by the database so that no road to a product can forget them.
-- Both extensions come with PostgreSQL, and whoever owns the database may add them.
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "product_search" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"whole_names" text[] NOT NULL,
	"names" "tsvector" NOT NULL,
	"words" "tsvector" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "removed_categories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"change_cursor" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "product_search" ADD CONSTRAINT "product_search_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_search_whole_names" ON "product_search" USING gin ("whole_names") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "product_search_names" ON "product_search" USING gin ("names") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "product_search_words" ON "product_search" USING gin ("words") WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "removed_categories_change" ON "removed_categories" USING btree ("change_cursor");--> statement-breakpoint
CREATE INDEX "search_words_alike" ON "search_words" USING gin ("word" gin_trgm_ops) WITH (fastupdate = off);--> statement-breakpoint
-- As shared/search.ts folds what people type: without case, accents and apostrophes, words apart by one space. What
-- parts words is listed (all signs of ASCII and Latin-1, the general and the CJK punctuation): whether a letter counts as
-- one would depend on the locale of the database.
CREATE FUNCTION search_fold(named text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT btrim(regexp_replace(
    regexp_replace(lower(unaccent(normalize(named, NFKC))), '[''\u2019\u02BC\u0300-\u036F]', '', 'g'),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7\u2000-\u206F\u2E00-\u2E7F\u3000-\u303F]+', ' ', 'g'))
$$;
--> statement-breakpoint
CREATE FUNCTION index_products(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM product_search USING unnest(ids) AS wanted (id) JOIN products USING (id)
    WHERE product_id = id AND archived_at IS NOT NULL;
  INSERT INTO product_search (product_id, whole_names, names, words, created_at)
    SELECT id, array_remove(whole, ''), to_tsvector('simple', array_to_string(whole, ' ')),
           to_tsvector('simple', array_to_string(whole, ' ') || ' ' || search_fold(description)),
           created_at
    FROM unnest(ids) AS wanted (id) JOIN products USING (id), LATERAL (
      SELECT array_agg(search_fold(each) ORDER BY place) AS whole
      FROM unnest(ARRAY[name] || other_names) WITH ORDINALITY AS all_names (each, place)
    ) AS folded
    WHERE archived_at IS NULL
    ON CONFLICT (product_id) DO UPDATE
      SET whole_names = excluded.whole_names, names = excluded.names, words = excluded.words;
$$;
--> statement-breakpoint
-- At the commit, under the lock of the feed's position, which is taken before: two writers of the same new words neither
-- wait for the other's whole transaction nor end in a deadlock.
CREATE FUNCTION learn_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words (word)
    SELECT new_word FROM unnest(tsvector_to_array(NEW.words)) AS new_word
    WHERE NOT EXISTS (SELECT FROM search_words WHERE word = new_word)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER product_search_words_learned AFTER INSERT OR UPDATE ON product_search
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION learn_words();
--> statement-breakpoint
CREATE FUNCTION index_new_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_products(ARRAY(SELECT id FROM made));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION index_changed_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_products(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_search_insert AFTER INSERT ON products
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION index_new_products();
--> statement-breakpoint
CREATE TRIGGER products_search_update AFTER UPDATE ON products
  FOR EACH ROW WHEN ((OLD.name, OLD.other_names, OLD.description, OLD.archived_at)
    IS DISTINCT FROM (NEW.name, NEW.other_names, NEW.description, NEW.archived_at))
  EXECUTE FUNCTION index_changed_product();
--> statement-breakpoint
SELECT index_products(ARRAY(SELECT id FROM products));
--> statement-breakpoint
-- Now, since no table with triggers that wait can be altered, which a later migration of the same start may want.
SET CONSTRAINTS ALL IMMEDIATE;
--> statement-breakpoint
SET CONSTRAINTS ALL DEFERRED;
--> statement-breakpoint
-- Has the library of pg_trgm loaded, which knows the setting of the next function.
SELECT show_limit();
--> statement-breakpoint
-- Words that look like a mistyped one. The threshold is what one wrong letter leaves of a word of four; swapped letters
-- leave less, and are asked for by the swapped words themselves.
CREATE FUNCTION words_like(typed text, swapped text[]) RETURNS SETOF text LANGUAGE sql STABLE
  SET pg_trgm.similarity_threshold = 0.24 AS $$
  SELECT word FROM search_words WHERE word = ANY (swapped)
  UNION ALL
  (SELECT word FROM search_words
   WHERE word % typed AND length(word) BETWEEN length(typed) - 2 AND length(typed) + 2
   ORDER BY similarity(word, typed) DESC LIMIT 100)
$$;
--> statement-breakpoint
-- A category that is no more takes its place in the feed as any other change does.
CREATE FUNCTION remove_category_in_feed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE next_position bigint;
BEGIN
  UPDATE catalog_cursor SET position = position + 1 RETURNING position INTO next_position;
  INSERT INTO removed_categories (id, change_cursor) VALUES (OLD.id, next_position)
    ON CONFLICT (id) DO UPDATE SET change_cursor = excluded.change_cursor;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER categories_feed_delete AFTER DELETE ON categories
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION remove_category_in_feed();
