-- The complete schema of version 1.0.0: the tables of src/server/db/schema/, plus what Drizzle cannot express
-- (extensions, functions, triggers, a view). Later migrations build on it.

-- Both extensions ship with PostgreSQL, and the owner of a database may create them.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- A search scans the table until it has enough rows. It must start at the same row each time; otherwise the second page
-- of a common word does not continue where the first one ended. A role that does not own the database leaves the
-- setting unchanged.
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET synchronize_seqscans = off', current_database());
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$;
--> statement-breakpoint

-- Accounts ------------------------------------------------------------------------------------------------------------

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL,
  full_name text NOT NULL,
  role text NOT NULL,
  is_enabled boolean DEFAULT true NOT NULL,
  password_hash text NOT NULL,
  must_change_password boolean DEFAULT false NOT NULL,
  email_proven_at timestamptz,
  image_url text,
  phone_number text,
  dob date,
  description text,
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  totp_last_step integer,
  created_at timestamptz NOT NULL,
  CONSTRAINT users_role CHECK (role in ('ROLE_CUSTOMER', 'ROLE_ADMIN', 'ROLE_OWNER'))
);
CREATE UNIQUE INDEX users_email_key ON users (email_key);
CREATE INDEX users_newest ON users (created_at, id);
CREATE INDEX users_by_name ON users (lower(full_name), id, full_name);
CREATE INDEX users_by_role ON users (role, created_at, id);
CREATE INDEX users_by_state ON users (is_enabled, created_at, id);
CREATE INDEX users_words ON users USING gin (full_name gin_trgm_ops, email gin_trgm_ops) WITH (fastupdate = off);
--> statement-breakpoint
CREATE TABLE addresses (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT addresses_user_id_users_id_fk REFERENCES users ON DELETE CASCADE,
  street text NOT NULL,
  city text NOT NULL,
  state text NOT NULL,
  postal_code text NOT NULL,
  country text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX addresses_user ON addresses (user_id, created_at);
--> statement-breakpoint
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL
    CONSTRAINT recovery_codes_user_id_users_id_fk REFERENCES users ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  CONSTRAINT recovery_codes_user_id_code_hash_pk PRIMARY KEY (user_id, code_hash)
);
--> statement-breakpoint
CREATE TABLE password_resets (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT password_resets_user_id_users_id_fk REFERENCES users ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT password_resets_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX password_resets_user ON password_resets (user_id, created_at);
--> statement-breakpoint
CREATE TABLE email_links (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT email_links_user_id_users_id_fk REFERENCES users ON DELETE CASCADE,
  purpose text NOT NULL,
  email text NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT email_links_token_hash_unique UNIQUE (token_hash),
  CONSTRAINT email_links_purpose CHECK (purpose in ('proof', 'takeover'))
);
CREATE INDEX email_links_user ON email_links (user_id, created_at);
--> statement-breakpoint
CREATE TABLE session_families (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT session_families_user_id_users_id_fk REFERENCES users ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  previous_token_hash bytea,
  refresh_number integer DEFAULT 0 NOT NULL,
  successor_used boolean DEFAULT false NOT NULL,
  remember_me boolean NOT NULL,
  device text DEFAULT '' NOT NULL,
  key_thumbprint bytea,
  bound_token_hash bytea,
  created_at timestamptz NOT NULL,
  refreshed_at timestamptz NOT NULL,
  ended_at timestamptz,
  end_reason text
);
CREATE INDEX session_families_user ON session_families (user_id);
CREATE INDEX session_families_ended ON session_families (ended_at);
CREATE INDEX session_families_refreshed ON session_families (refreshed_at);
--> statement-breakpoint
CREATE TABLE attempts (
  key text PRIMARY KEY,
  count integer NOT NULL,
  window_ends_at timestamptz NOT NULL
);
CREATE INDEX attempts_window ON attempts (window_ends_at);
--> statement-breakpoint
-- At least one enabled owner always remains. Two owners who leave at the same time are checked one after the other:
-- each takes the same lock first, and the second one sees what the first has committed.
CREATE FUNCTION keep_an_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('an owner remains'));
  IF NOT EXISTS (SELECT 1 FROM users WHERE role = 'ROLE_OWNER' AND is_enabled) THEN
    RAISE EXCEPTION 'the shop needs an enabled owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_an_owner';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_owner_kept_update AFTER UPDATE OF role, is_enabled ON users
  FOR EACH ROW WHEN (OLD.role = 'ROLE_OWNER' AND OLD.is_enabled AND (NEW.role <> 'ROLE_OWNER' OR NOT NEW.is_enabled))
  EXECUTE FUNCTION keep_an_owner();
CREATE TRIGGER users_owner_kept_delete AFTER DELETE ON users
  FOR EACH ROW WHEN (OLD.role = 'ROLE_OWNER' AND OLD.is_enabled) EXECUTE FUNCTION keep_an_owner();
--> statement-breakpoint

-- Catalog -------------------------------------------------------------------------------------------------------------

CREATE TABLE categories (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  title text,
  description text NOT NULL,
  change_cursor bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT categories_name_pattern CHECK (name ~ '^[a-z0-9-]{1,40}$')
);
CREATE UNIQUE INDEX categories_name ON categories (lower(name));
CREATE INDEX categories_change ON categories (change_cursor);
--> statement-breakpoint
CREATE TABLE pictures (
  hash text PRIMARY KEY,
  width integer NOT NULL,
  height integer NOT NULL,
  widths integer[] NOT NULL,
  placeholder text NOT NULL,
  kept_avif_bytes integer,
  kept_webp_bytes integer,
  created_at timestamptz NOT NULL
);
--> statement-breakpoint
-- All names of a product as one text, for substring search. The index requires an immutable function, and for a list of
-- texts the result is immutable.
CREATE FUNCTION product_names(name text, other_names text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT pg_catalog.lower(name || ' ' || pg_catalog.array_to_string(other_names, ' '))
$$;
--> statement-breakpoint
CREATE TABLE products (
  id uuid PRIMARY KEY,
  category_id uuid NOT NULL
    CONSTRAINT products_category_id_categories_id_fk REFERENCES categories,
  name text NOT NULL,
  description text NOT NULL,
  price_cents integer NOT NULL,
  availability boolean NOT NULL,
  quantity integer NOT NULL,
  picture_hash text
    CONSTRAINT products_picture_hash_pictures_hash_fk REFERENCES pictures,
  picture_alt text,
  unit_size text,
  origin text,
  heat_level smallint,
  allergens text[] DEFAULT '{}' NOT NULL,
  other_names text[] DEFAULT '{}' NOT NULL,
  unit_cost_cents integer,
  taxable boolean DEFAULT true NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  edited_version integer DEFAULT 1 NOT NULL,
  change_cursor bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  archived_at timestamptz,
  CONSTRAINT products_price CHECK (price_cents >= 0),
  CONSTRAINT products_quantity CHECK (quantity >= 0),
  CONSTRAINT products_heat CHECK (heat_level between 0 and 5),
  CONSTRAINT products_cost CHECK (unit_cost_cents >= 0)
);
CREATE INDEX products_category ON products (category_id, created_at, id) WHERE archived_at is null;
CREATE INDEX products_listed ON products (created_at, id) WHERE archived_at is null;
CREATE INDEX products_change ON products (change_cursor);
CREATE INDEX products_names ON products USING gin (product_names(name, other_names) gin_trgm_ops)
  WITH (fastupdate = off);
CREATE INDEX products_by_name ON products (lower(name), id) WHERE archived_at is null;
CREATE INDEX products_by_price ON products (price_cents, id) WHERE archived_at is null;
CREATE INDEX products_by_cost ON products (unit_cost_cents, id) WHERE archived_at is null;
CREATE INDEX products_archived ON products (archived_at, id) WHERE archived_at is not null;
CREATE INDEX products_all_of_category ON products (category_id);
--> statement-breakpoint
CREATE TABLE picture_uploads (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL
    CONSTRAINT picture_uploads_product_id_products_id_fk REFERENCES products,
  state text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  claimed_at timestamptz,
  failure text,
  by_user_id uuid NOT NULL
    CONSTRAINT picture_uploads_by_user_id_users_id_fk REFERENCES users,
  created_at timestamptz NOT NULL,
  CONSTRAINT picture_uploads_state CHECK (state in ('processing', 'failed', 'ready', 'replaced'))
);
CREATE UNIQUE INDEX picture_uploads_current ON picture_uploads (product_id) WHERE state in ('processing', 'failed');
CREATE INDEX picture_uploads_processing ON picture_uploads (created_at) WHERE state = 'processing';
--> statement-breakpoint
CREATE TABLE removed_categories (
  id uuid PRIMARY KEY,
  change_cursor bigint NOT NULL
);
CREATE INDEX removed_categories_change ON removed_categories (change_cursor);
--> statement-breakpoint
CREATE TABLE product_search (
  product_id uuid PRIMARY KEY
    CONSTRAINT product_search_product_id_products_id_fk REFERENCES products ON DELETE CASCADE,
  whole_names text[] NOT NULL,
  names tsvector NOT NULL,
  words tsvector NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX product_search_whole_names ON product_search USING gin (whole_names) WITH (fastupdate = off);
CREATE INDEX product_search_names ON product_search USING gin (names) WITH (fastupdate = off);
CREATE INDEX product_search_words ON product_search USING gin (words) WITH (fastupdate = off);
--> statement-breakpoint
CREATE TABLE search_words (
  word text PRIMARY KEY
);
CREATE INDEX search_words_alike ON search_words USING gin (word gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX search_words_begun ON search_words (word text_pattern_ops);
--> statement-breakpoint
CREATE TABLE catalog_cursor (
  "only" boolean PRIMARY KEY DEFAULT true,
  position bigint NOT NULL
);
INSERT INTO catalog_cursor ("only", position) VALUES (true, 0);
--> statement-breakpoint

-- The catalog's change feed. Triggers maintain it, so no statement that changes a product can miss it. A change of a
-- product's data raises products.version and moves the product in the feed. A stock change that starts or ends at 10 or
-- less also moves it. Other stock changes do neither.

-- These functions compare whole rows except for the columns named here, so a new column is included automatically.
-- Compares the columns that the product form can change.
CREATE FUNCTION product_form_differs(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT to_jsonb(was) - not_in_form IS DISTINCT FROM to_jsonb(is_now) - not_in_form
  FROM (SELECT '{quantity,version,edited_version,change_cursor,created_at,picture_hash,picture_alt,archived_at}'::text[]
    AS not_in_form) AS named
$$;
-- The unit cost also raises the version, although only staff see it: otherwise one form could overwrite another.
CREATE FUNCTION product_facts_differ(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT to_jsonb(was) - no_facts IS DISTINCT FROM to_jsonb(is_now) - no_facts
  FROM (SELECT '{quantity,version,edited_version,change_cursor,created_at}'::text[] AS no_facts) AS named
$$;
--> statement-breakpoint
CREATE FUNCTION raise_product_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  IF product_form_differs(OLD, NEW) THEN NEW.edited_version := NEW.version; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER products_version BEFORE UPDATE ON products
  FOR EACH ROW WHEN (product_facts_differ(OLD, NEW)) EXECUTE FUNCTION raise_product_version();
--> statement-breakpoint
-- Positions are assigned at commit, under the lock of the single row of catalog_cursor. So a later position never
-- becomes visible before an earlier one, and no transaction waits for another one's products while it holds that lock.
CREATE FUNCTION move_product_in_feed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE next_position bigint;
BEGIN
  UPDATE catalog_cursor SET position = position + 1 RETURNING position INTO next_position;
  UPDATE products SET change_cursor = next_position WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER products_feed_insert AFTER INSERT ON products
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION move_product_in_feed();
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
CREATE CONSTRAINT TRIGGER categories_feed_insert AFTER INSERT ON categories
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION move_category_in_feed();
CREATE CONSTRAINT TRIGGER categories_feed_update AFTER UPDATE ON categories
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.title, OLD.description) IS DISTINCT FROM (NEW.name, NEW.title, NEW.description))
  EXECUTE FUNCTION move_category_in_feed();
--> statement-breakpoint
-- A deleted category gets a position in the feed like any other change.
CREATE FUNCTION remove_category_in_feed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE next_position bigint;
BEGIN
  UPDATE catalog_cursor SET position = position + 1 RETURNING position INTO next_position;
  INSERT INTO removed_categories (id, change_cursor) VALUES (OLD.id, next_position)
    ON CONFLICT (id) DO UPDATE SET change_cursor = excluded.change_cursor;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER categories_feed_delete AFTER DELETE ON categories
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION remove_category_in_feed();
--> statement-breakpoint

-- Notifies all processes of catalog changes. On the channel 'catalog', 'facts' means: drop all cached responses; a
-- product id means: only its quantity changed.
CREATE FUNCTION tell_catalog_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE TRIGGER categories_told AFTER INSERT OR UPDATE OR DELETE ON categories
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalog_change('facts');
CREATE TRIGGER products_told_insert AFTER INSERT ON products
  FOR EACH STATEMENT EXECUTE FUNCTION tell_catalog_change('facts');
CREATE TRIGGER products_told_facts AFTER UPDATE ON products
  FOR EACH ROW WHEN (product_facts_differ(OLD, NEW)) EXECUTE FUNCTION tell_catalog_change('facts');
--> statement-breakpoint
CREATE FUNCTION tell_stock_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', NEW.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER products_told_stock AFTER UPDATE ON products
  FOR EACH ROW WHEN (OLD.quantity <> NEW.quantity) EXECUTE FUNCTION tell_stock_change();
--> statement-breakpoint
-- Public pages show the quantity when 10 units or fewer are left, so such a stock change is also notified on a second
-- channel. Triggers run in order of their names: 'catalog' is notified first, so a page that is rendered again uses new
-- responses.
CREATE FUNCTION tell_low_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('low_stock', NEW.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER products_told_stock_low AFTER UPDATE ON products
  FOR EACH ROW WHEN (OLD.quantity <> NEW.quantity AND least(OLD.quantity, NEW.quantity) <= 10)
  EXECUTE FUNCTION tell_low_stock();
--> statement-breakpoint

-- Search --------------------------------------------------------------------------------------------------------------

-- Folds a text like shared/search.ts folds typed words: no case, accents or apostrophes, and single spaces between
-- words. Separators are listed explicitly (all ASCII and Latin-1 punctuation, the general and the CJK punctuation),
-- because whether a character counts as a letter would depend on the database's locale.
CREATE FUNCTION search_fold(named text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT btrim(regexp_replace(
    regexp_replace(lower(unaccent(normalize(named, NFKC))), '[''\u2019\u02BC\u0300-\u036F]', '', 'g'),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7\u2000-\u206F\u2E00-\u2E7F\u3000-\u303F]+', ' ', 'g'))
$$;
--> statement-breakpoint
-- Updates product_search for these products; it contains only products that are not archived.
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
CREATE FUNCTION index_new_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_products(ARRAY(SELECT id FROM made));
  RETURN NULL;
END $$;
CREATE TRIGGER products_search_insert AFTER INSERT ON products
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION index_new_products();
--> statement-breakpoint
CREATE FUNCTION index_changed_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_products(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER products_search_update AFTER UPDATE ON products
  FOR EACH ROW WHEN ((OLD.name, OLD.other_names, OLD.description, OLD.archived_at)
    IS DISTINCT FROM (NEW.name, NEW.other_names, NEW.description, NEW.archived_at))
  EXECUTE FUNCTION index_changed_product();
--> statement-breakpoint
-- Adds new words to search_words at commit, under the lock of the feed's position, which is taken before. So two
-- writers of the same new words neither wait for each other's whole transaction nor deadlock.
CREATE FUNCTION learn_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words (word)
    SELECT new_word FROM unnest(tsvector_to_array(NEW.words)) AS new_word
    WHERE NOT EXISTS (SELECT FROM search_words WHERE word = new_word)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER product_search_words_learned AFTER INSERT OR UPDATE ON product_search
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION learn_words();
--> statement-breakpoint
-- Candidates for a mistyped word. The threshold is the similarity that remains after the allowed number of wrong
-- letters in a word of that length; a lower one would compare thousands of unrelated words. Swapped letters reduce the
-- similarity further, so words with swapped letters are looked up directly.
CREATE FUNCTION words_near(typed text, swapped text[], threshold real) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
  RETURN QUERY SELECT word FROM search_words WHERE word = ANY (swapped);
  RETURN QUERY SELECT word FROM search_words
    WHERE word % typed AND length(word) BETWEEN length(typed) - 2 AND length(typed) + 2
    ORDER BY similarity(word, typed) DESC LIMIT 100;
END $$;
--> statement-breakpoint

-- Lists ---------------------------------------------------------------------------------------------------------------

CREATE TABLE lists (
  user_id uuid NOT NULL
    CONSTRAINT lists_user_id_users_id_fk REFERENCES users ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  position integer NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT lists_user_id_id_pk PRIMARY KEY (user_id, id),
  CONSTRAINT lists_name_length CHECK (char_length(name) between 1 and 60)
);
CREATE UNIQUE INDEX lists_name ON lists (user_id, name_key);
--> statement-breakpoint
CREATE TABLE list_items (
  user_id uuid NOT NULL,
  list_id uuid NOT NULL,
  product_id uuid NOT NULL
    CONSTRAINT list_items_product_id_products_id_fk REFERENCES products,
  par smallint,
  on_hand_tenths smallint,
  counted_at timestamptz,
  position integer NOT NULL,
  CONSTRAINT list_items_user_id_list_id_product_id_pk PRIMARY KEY (user_id, list_id, product_id),
  CONSTRAINT list_items_par CHECK (par between 0 and 999),
  CONSTRAINT list_items_on_hand CHECK (on_hand_tenths between 0 and 9990),
  CONSTRAINT list_items_counted CHECK ((on_hand_tenths is null) = (counted_at is null)),
  CONSTRAINT list_items_list FOREIGN KEY (user_id, list_id) REFERENCES lists (user_id, id) ON DELETE CASCADE
);
CREATE INDEX list_items_product ON list_items (product_id);
--> statement-breakpoint

-- Delivery, sales tax, and discounts ----------------------------------------------------------------------------------

CREATE TABLE delivery_methods (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  description text DEFAULT '' NOT NULL,
  price_cents integer NOT NULL,
  free_from_cents integer,
  states text[],
  position integer NOT NULL,
  is_active boolean DEFAULT true NOT NULL,
  created_at timestamptz NOT NULL,
  archived_at timestamptz,
  CONSTRAINT delivery_methods_price CHECK (price_cents >= 0 and free_from_cents > 0)
);
CREATE UNIQUE INDEX delivery_methods_name ON delivery_methods (lower(name)) WHERE archived_at is null;
CREATE INDEX delivery_methods_position ON delivery_methods (position, id);
--> statement-breakpoint
CREATE TABLE tax_rates (
  state text PRIMARY KEY,
  rate_ppm integer NOT NULL,
  taxes_delivery boolean DEFAULT false NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT tax_rates_rate CHECK (rate_ppm between 0 and 300000)
);
--> statement-breakpoint
CREATE TABLE discounts (
  id uuid PRIMARY KEY,
  code text NOT NULL,
  kind text NOT NULL,
  percent smallint,
  amount_cents integer,
  minimum_cents integer,
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses integer,
  max_uses_per_customer integer,
  category_ids uuid[],
  note text DEFAULT '' NOT NULL,
  is_active boolean DEFAULT true NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT discounts_code_unique UNIQUE (code),
  CONSTRAINT discounts_code CHECK (code ~ '^[A-Z0-9-]{3,40}$'),
  CONSTRAINT discounts_kind CHECK ((kind = 'percent') = (percent is not null)
    and (kind = 'amount') = (amount_cents is not null)
    and kind in ('percent', 'amount', 'free_delivery')),
  CONSTRAINT discounts_percent CHECK (percent between 1 and 100),
  CONSTRAINT discounts_amount CHECK (amount_cents > 0)
);
CREATE INDEX discounts_newest ON discounts (created_at, id);
--> statement-breakpoint

-- Carts, orders, and stock --------------------------------------------------------------------------------------------

CREATE TABLE carts (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT carts_user_id_users_id_fk REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  CONSTRAINT carts_user_id_unique UNIQUE (user_id)
);
--> statement-breakpoint
CREATE TABLE cart_items (
  id uuid PRIMARY KEY,
  cart_id uuid NOT NULL
    CONSTRAINT cart_items_cart_id_carts_id_fk REFERENCES carts ON DELETE CASCADE,
  product_id uuid NOT NULL
    CONSTRAINT cart_items_product_id_products_id_fk REFERENCES products,
  quantity integer NOT NULL,
  confirmed_price_cents integer NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT cart_items_quantity CHECK (quantity between 1 and 99)
);
CREATE UNIQUE INDEX cart_items_product ON cart_items (cart_id, product_id);
--> statement-breakpoint
CREATE SEQUENCE order_numbers START WITH 1001;
CREATE TABLE orders (
  id uuid PRIMARY KEY,
  order_number text NOT NULL,
  user_id uuid NOT NULL
    CONSTRAINT orders_user_id_users_id_fk REFERENCES users,
  cart_id uuid NOT NULL,
  customer text NOT NULL,
  street text NOT NULL,
  city text NOT NULL,
  state text NOT NULL,
  postal_code text NOT NULL,
  status text NOT NULL,
  total_cents integer NOT NULL,
  content_hash bytea NOT NULL,
  shipment_tracking_url text,
  created_at timestamptz NOT NULL,
  paid_at timestamptz,
  refunded_cents integer DEFAULT 0 NOT NULL,
  discount_id uuid
    CONSTRAINT orders_discount_id_discounts_id_fk REFERENCES discounts,
  discount_code text,
  discount_kind text,
  discount_cents integer DEFAULT 0 NOT NULL,
  delivery_method_id uuid
    CONSTRAINT orders_delivery_method_id_delivery_methods_id_fk REFERENCES delivery_methods,
  delivery_name text,
  delivery_cents integer DEFAULT 0 NOT NULL,
  tax_state text,
  tax_rate_ppm integer,
  taxed_cents integer DEFAULT 0 NOT NULL,
  tax_cents integer DEFAULT 0 NOT NULL,
  delivery_tax_cents integer DEFAULT 0 NOT NULL,
  delivery_note text,
  CONSTRAINT orders_order_number_unique UNIQUE (order_number),
  CONSTRAINT orders_status CHECK (
    status in ('PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'REFUNDED')
  ),
  CONSTRAINT orders_total CHECK (total_cents > 0),
  CONSTRAINT orders_refunded CHECK (refunded_cents between 0 and total_cents),
  CONSTRAINT orders_parts CHECK (least(discount_cents, delivery_cents, taxed_cents, delivery_tax_cents) >= 0
    and tax_cents >= delivery_tax_cents
    and total_cents >= delivery_cents + tax_cents)
);
CREATE INDEX orders_discount ON orders (discount_id, user_id) WHERE discount_id is not null;
CREATE INDEX orders_user ON orders (user_id, created_at, id);
CREATE INDEX orders_newest ON orders (created_at, id);
CREATE INDEX orders_status ON orders (status, created_at, id);
CREATE INDEX orders_by_number ON orders (length(order_number), order_number, id);
CREATE INDEX orders_by_customer ON orders (lower(customer), id, customer);
CREATE INDEX orders_by_total ON orders (total_cents, id);
CREATE INDEX orders_paid_sums ON orders (paid_at, id, total_cents, delivery_cents, delivery_tax_cents)
  WHERE paid_at is not null;
CREATE INDEX orders_words ON orders USING gin (customer gin_trgm_ops, order_number gin_trgm_ops)
  WITH (fastupdate = off);
CREATE UNIQUE INDEX orders_one_open ON orders (user_id) WHERE status = 'PENDING_PAYMENT';
CREATE INDEX orders_paid_by ON orders (user_id, paid_at) WHERE paid_at is not null;
--> statement-breakpoint
CREATE TABLE holds (
  user_id uuid PRIMARY KEY
    CONSTRAINT holds_user_id_users_id_fk REFERENCES users ON DELETE CASCADE,
  order_id uuid NOT NULL
    CONSTRAINT holds_order_id_orders_id_fk REFERENCES orders,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  is_extended boolean NOT NULL,
  unpaid_ends integer NOT NULL,
  ended_by uuid
    CONSTRAINT holds_ended_by_users_id_fk REFERENCES users,
  network text,
  CONSTRAINT holds_order_id_unique UNIQUE (order_id)
);
--> statement-breakpoint
CREATE TABLE order_items (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL
    CONSTRAINT order_items_order_id_orders_id_fk REFERENCES orders,
  product_id uuid NOT NULL
    CONSTRAINT order_items_product_id_products_id_fk REFERENCES products,
  product_name text NOT NULL,
  image_url text,
  unit_price_cents integer NOT NULL,
  unit_cost_cents integer,
  quantity integer NOT NULL,
  total_cents integer NOT NULL,
  discount_cents integer DEFAULT 0 NOT NULL,
  tax_cents integer DEFAULT 0 NOT NULL,
  category_id uuid NOT NULL,
  position smallint NOT NULL,
  CONSTRAINT order_items_total CHECK (total_cents = unit_price_cents * quantity),
  CONSTRAINT order_items_shares CHECK (discount_cents between 0 and total_cents and tax_cents >= 0)
);
CREATE INDEX order_items_order ON order_items (order_id, position);
--> statement-breakpoint
CREATE TABLE order_notes (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL
    CONSTRAINT order_notes_order_id_orders_id_fk REFERENCES orders,
  by_user_id uuid NOT NULL
    CONSTRAINT order_notes_by_user_id_users_id_fk REFERENCES users,
  text text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX order_notes_order ON order_notes (order_id, at);
--> statement-breakpoint
CREATE TABLE order_timeline (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  order_id uuid NOT NULL
    CONSTRAINT order_timeline_order_id_orders_id_fk REFERENCES orders,
  status text NOT NULL,
  by_user_id uuid
    CONSTRAINT order_timeline_by_user_id_users_id_fk REFERENCES users,
  note text,
  at timestamptz NOT NULL
);
CREATE INDEX order_timeline_order ON order_timeline (order_id, id);
--> statement-breakpoint
CREATE TABLE stock_movements (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  product_id uuid NOT NULL
    CONSTRAINT stock_movements_product_id_products_id_fk REFERENCES products,
  kind text NOT NULL,
  shelf integer NOT NULL,
  held integer NOT NULL,
  order_id uuid
    CONSTRAINT stock_movements_order_id_orders_id_fk REFERENCES orders,
  by_user_id uuid
    CONSTRAINT stock_movements_by_user_id_users_id_fk REFERENCES users,
  reason text,
  at timestamptz NOT NULL,
  CONSTRAINT stock_movements_kind CHECK ((kind = 'hold' and shelf < 0 and held = -shelf)
    or (kind = 'sale' and shelf + held < 0 and shelf * held = 0)
    or (kind = 'release' and shelf > 0 and held = -shelf)
    or (kind = 'adjustment' and shelf <> 0 and held = 0))
);
CREATE INDEX stock_movements_product ON stock_movements (product_id, id);
CREATE INDEX stock_movements_order ON stock_movements (order_id);
CREATE UNIQUE INDEX stock_movements_once ON stock_movements (order_id, product_id, kind)
  WHERE kind in ('hold', 'sale', 'release');
--> statement-breakpoint

-- Payments and refunds ------------------------------------------------------------------------------------------------

CREATE TABLE payment_sessions (
  order_id uuid PRIMARY KEY
    CONSTRAINT payment_sessions_order_id_orders_id_fk REFERENCES orders,
  session_id text,
  url text,
  state text NOT NULL,
  amount_cents integer NOT NULL,
  attempt integer DEFAULT 1 NOT NULL,
  payment_intent_id text,
  refund_id text,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT payment_sessions_session_id_unique UNIQUE (session_id),
  CONSTRAINT payment_sessions_state CHECK (state in ('creating', 'open', 'paid', 'expired', 'refunded'))
);
CREATE INDEX payment_sessions_waiting ON payment_sessions (created_at) WHERE state in ('creating', 'open');
CREATE INDEX payment_sessions_payment ON payment_sessions (payment_intent_id);
--> statement-breakpoint
CREATE TABLE payment_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  order_id uuid
    CONSTRAINT payment_events_order_id_orders_id_fk REFERENCES orders,
  outcome text NOT NULL,
  reason text,
  is_fetched boolean DEFAULT false NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX payment_events_order ON payment_events (order_id) WHERE order_id is not null;
--> statement-breakpoint
CREATE TABLE payment_events_cursor (
  "only" boolean PRIMARY KEY DEFAULT true,
  taken_until timestamptz NOT NULL
);
--> statement-breakpoint
CREATE TABLE refunds (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL
    CONSTRAINT refunds_order_id_orders_id_fk REFERENCES orders,
  amount_cents integer NOT NULL,
  state text NOT NULL,
  restock boolean DEFAULT false NOT NULL,
  reason text NOT NULL,
  delivery_cents integer DEFAULT 0 NOT NULL,
  tax_cents integer DEFAULT 0 NOT NULL,
  is_by_lines boolean DEFAULT false NOT NULL,
  customer_note text,
  provider_refund_id text,
  stray_payment_id text,
  by_user_id uuid
    CONSTRAINT refunds_by_user_id_users_id_fk REFERENCES users,
  refusals integer DEFAULT 0 NOT NULL,
  try_after timestamptz,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  CONSTRAINT refunds_provider_refund_id_unique UNIQUE (provider_refund_id),
  CONSTRAINT refunds_stray_payment_id_unique UNIQUE (stray_payment_id),
  CONSTRAINT refunds_amount CHECK (amount_cents > 0),
  CONSTRAINT refunds_parts CHECK (least(delivery_cents, tax_cents) >= 0
    and amount_cents >= delivery_cents + tax_cents),
  CONSTRAINT refunds_state CHECK (state in ('asked', 'done', 'failed'))
);
CREATE INDEX refunds_order ON refunds (order_id, created_at);
CREATE INDEX refunds_done ON refunds (done_at);
CREATE INDEX refunds_asked ON refunds (created_at) WHERE state = 'asked';
--> statement-breakpoint
CREATE TABLE refund_lines (
  refund_id uuid NOT NULL
    CONSTRAINT refund_lines_refund_id_refunds_id_fk REFERENCES refunds,
  order_item_id uuid NOT NULL
    CONSTRAINT refund_lines_order_item_id_order_items_id_fk REFERENCES order_items,
  quantity integer NOT NULL,
  restock boolean NOT NULL,
  goods_cents integer NOT NULL,
  tax_cents integer NOT NULL,
  CONSTRAINT refund_lines_refund_id_order_item_id_pk PRIMARY KEY (refund_id, order_item_id),
  CONSTRAINT refund_lines_quantity CHECK (quantity > 0),
  CONSTRAINT refund_lines_parts CHECK (least(goods_cents, tax_cents) >= 0)
);
CREATE INDEX refund_lines_item ON refund_lines (order_item_id);
--> statement-breakpoint

-- Emails and messages -------------------------------------------------------------------------------------------------

CREATE TABLE mails (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  about text NOT NULL,
  recipient text NOT NULL,
  user_id uuid
    CONSTRAINT mails_user_id_users_id_fk REFERENCES users,
  order_id uuid
    CONSTRAINT mails_order_id_orders_id_fk REFERENCES orders,
  facts jsonb DEFAULT '{}' NOT NULL,
  state text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  last_error text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  CONSTRAINT mails_about_unique UNIQUE (about),
  CONSTRAINT mails_state CHECK (state in ('waiting', 'sent', 'failed', 'cancelled'))
);
CREATE INDEX mails_newest ON mails (created_at, id);
CREATE INDEX mails_by_state ON mails (state, created_at, id);
CREATE INDEX mails_failed ON mails (created_at) WHERE state = 'failed';
CREATE INDEX mails_waiting ON mails (created_at) WHERE state = 'waiting';
CREATE INDEX mails_order ON mails (order_id);
--> statement-breakpoint
CREATE TABLE notice_counts (
  recipient_hash bytea PRIMARY KEY,
  mailed_at timestamptz[] NOT NULL,
  collecting_id uuid,
  last_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE TABLE contact_messages (
  id uuid PRIMARY KEY,
  full_name text NOT NULL,
  email text NOT NULL,
  phone text NOT NULL,
  reason text NOT NULL,
  user_id uuid
    CONSTRAINT contact_messages_user_id_users_id_fk REFERENCES users,
  created_at timestamptz NOT NULL,
  read_at timestamptz,
  answered_at timestamptz
);
CREATE INDEX contact_messages_newest ON contact_messages (created_at, id);
CREATE INDEX contact_messages_new ON contact_messages (created_at, id) WHERE read_at is null and answered_at is null;
CREATE INDEX contact_messages_read ON contact_messages (created_at, id)
  WHERE read_at is not null and answered_at is null;
CREATE INDEX contact_messages_answered ON contact_messages (created_at, id) WHERE answered_at is not null;
CREATE INDEX contact_messages_words ON contact_messages
  USING gin (full_name gin_trgm_ops, email gin_trgm_ops, reason gin_trgm_ops) WITH (fastupdate = off);
--> statement-breakpoint
CREATE TABLE message_replies (
  id uuid PRIMARY KEY,
  message_id uuid NOT NULL
    CONSTRAINT message_replies_message_id_contact_messages_id_fk REFERENCES contact_messages,
  by_user_id uuid NOT NULL
    CONSTRAINT message_replies_by_user_id_users_id_fk REFERENCES users,
  text text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX message_replies_message ON message_replies (message_id, at);
--> statement-breakpoint

-- The shop itself -----------------------------------------------------------------------------------------------------

CREATE TABLE shop_settings (
  "only" boolean PRIMARY KEY DEFAULT true,
  shop_name text NOT NULL,
  contact_email text NOT NULL,
  contact_phone text NOT NULL,
  time_zone text NOT NULL,
  low_stock_threshold integer NOT NULL,
  new_customer_units integer DEFAULT 99 NOT NULL,
  new_customer_limits boolean DEFAULT true NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT shop_settings_only CHECK ("only")
);
--> statement-breakpoint
CREATE TABLE settings (
  name text PRIMARY KEY,
  value jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key uuid NOT NULL,
  request_hash bytea NOT NULL,
  status smallint,
  answer jsonb,
  created_at timestamptz NOT NULL,
  CONSTRAINT idempotency_keys_scope_key_pk PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
--> statement-breakpoint
CREATE TABLE alarms (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  about text NOT NULL,
  order_id uuid
    CONSTRAINT alarms_order_id_orders_id_fk REFERENCES orders,
  detail text NOT NULL,
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  settled_by uuid
    CONSTRAINT alarms_settled_by_users_id_fk REFERENCES users,
  CONSTRAINT alarms_about_unique UNIQUE (about)
);
CREATE INDEX alarms_open ON alarms (created_at) WHERE settled_at is null;
--> statement-breakpoint
CREATE TABLE audit_log (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  actor_id uuid
    CONSTRAINT audit_log_actor_id_users_id_fk REFERENCES users,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text,
  before jsonb,
  after jsonb,
  request_id text
);
CREATE INDEX audit_log_at ON audit_log (at, id);
CREATE INDEX audit_log_target ON audit_log (target_kind, target_id, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_action ON audit_log (action, at, id);
--> statement-breakpoint
-- The audit log is append-only.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log only grows' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_kept BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint

-- Stored counts -------------------------------------------------------------------------------------------------------

-- Row counts of the most used lists and filters. Counting 100,000 rows takes longer than reading a page. Each change
-- appends a row, and a count is the sum of its rows. With one row per count, transactions would wait for each other.
CREATE TABLE kept_counts (
  list text NOT NULL,
  part text NOT NULL,
  value text NOT NULL,
  rows integer NOT NULL
);
CREATE INDEX kept_counts_of ON kept_counts (list, part, value, rows);
--> statement-breakpoint
-- Occasionally merges the rows of each count. One transaction at a time does it; the others skip it.
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
-- The counts that a product belongs to: the products of its category and, unless archived, the filters of that
-- category. STRICT is required: otherwise the planner inlines the function, and fails at the whole-row argument.
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
CREATE TRIGGER products_counted_insert AFTER INSERT ON products
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_new_products();
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
CREATE TRIGGER products_counted_update AFTER UPDATE ON products
  FOR EACH ROW WHEN ((OLD.category_id, OLD.heat_level, OLD.origin, OLD.allergens, OLD.archived_at IS NULL)
    IS DISTINCT FROM (NEW.category_id, NEW.heat_level, NEW.origin, NEW.allergens, NEW.archived_at IS NULL))
  EXECUTE FUNCTION count_changed_product();
--> statement-breakpoint
CREATE FUNCTION count_gone_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_counts SELECT list, part, value, -1 FROM counts_of_product(OLD);
  PERFORM add_up_counts();
  RETURN NULL;
END $$;
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
CREATE TRIGGER orders_counted_insert AFTER INSERT ON orders
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
CREATE TRIGGER orders_counted_update AFTER UPDATE ON orders
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_orders();
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
CREATE TRIGGER users_counted_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_users();
CREATE TRIGGER users_counted_update AFTER UPDATE ON users
  FOR EACH ROW WHEN ((OLD.role, OLD.is_enabled) IS DISTINCT FROM (NEW.role, NEW.is_enabled))
  EXECUTE FUNCTION count_users();
CREATE TRIGGER users_counted_delete AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION count_users();
--> statement-breakpoint

-- Money by line -------------------------------------------------------------------------------------------------------

-- For the reports by product and category, and the lists of orders that they link to. Joining lines with paid orders
-- took most of the time of a yearly report, so each row here contains the time of the payment itself. Each row is
-- written once, in the transaction of its payment or refund, so no transaction waits for another one's.
CREATE TABLE money_by_line (
  at timestamptz NOT NULL,
  order_id uuid NOT NULL,
  product_id uuid NOT NULL,
  category_id uuid NOT NULL,
  units integer NOT NULL,
  goods_cents integer NOT NULL,
  discount_cents integer NOT NULL,
  tax_cents integer NOT NULL,
  refund_cents integer NOT NULL
);
CREATE INDEX money_by_line_at ON money_by_line (at);
--> statement-breakpoint
-- The expected content of money_by_line. Queries should filter it by order.
CREATE VIEW money_by_line_anew AS
  SELECT paid_at AS at, order_id, product_id, category_id, quantity AS units, item.total_cents AS goods_cents,
    item.discount_cents, item.tax_cents, 0 AS refund_cents
  FROM orders JOIN order_items AS item ON order_id = orders.id WHERE paid_at IS NOT NULL
  UNION ALL
  SELECT done_at, item.order_id, product_id, category_id, 0, 0, 0, 0, line.goods_cents + line.tax_cents
  FROM refunds JOIN refund_lines AS line ON refund_id = refunds.id JOIN order_items AS item ON item.id = order_item_id
  WHERE refunds.state = 'done' AND stray_payment_id IS NULL AND done_at IS NOT NULL;
--> statement-breakpoint
-- Rewrites the rows of these orders, for changes that the shop never makes, such as undoing a payment or changing a
-- line. Reads the whole table.
CREATE FUNCTION write_money_anew(of_orders uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM money_by_line WHERE order_id = ANY (of_orders);
  INSERT INTO money_by_line SELECT * FROM money_by_line_anew WHERE order_id = ANY (of_orders);
$$;
--> statement-breakpoint
-- Trigger functions run with the rights of the tables' owner, so a role that may write orders needs no rights on this
-- table.
CREATE FUNCTION write_paid_money() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.paid_at IS NULL THEN
    INSERT INTO money_by_line
      SELECT NEW.paid_at, order_id, product_id, category_id, quantity, total_cents, discount_cents, tax_cents, 0
      FROM order_items WHERE order_id = NEW.id;
  ELSE
    PERFORM write_money_anew(ARRAY[NEW.id]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_money_update AFTER UPDATE ON orders
  FOR EACH ROW WHEN (OLD.paid_at IS DISTINCT FROM NEW.paid_at) EXECUTE FUNCTION write_paid_money();
--> statement-breakpoint
-- The shop places orders unpaid, so this writes nothing for them.
CREATE FUNCTION write_money_of_lines() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO money_by_line
    SELECT paid_at, order_id, product_id, category_id, quantity, made.total_cents, made.discount_cents, made.tax_cents, 0
    FROM made JOIN orders ON orders.id = order_id WHERE paid_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER order_items_money_insert AFTER INSERT ON order_items
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_lines();
--> statement-breakpoint
CREATE FUNCTION write_money_of_changed_lines() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_money_anew(array_agg(DISTINCT order_id)) FROM gone HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER order_items_money_update AFTER UPDATE ON order_items
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_changed_lines();
CREATE TRIGGER order_items_money_delete AFTER DELETE ON order_items
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_changed_lines();
--> statement-breakpoint
-- A refund counts from the moment when it is completed.
CREATE FUNCTION write_money_of_refund() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.state <> 'done' AND NEW.stray_payment_id IS NULL AND NEW.done_at IS NOT NULL THEN
    INSERT INTO money_by_line
      SELECT NEW.done_at, item.order_id, product_id, category_id, 0, 0, 0, 0, line.goods_cents + line.tax_cents
      FROM refund_lines AS line JOIN order_items AS item ON item.id = order_item_id WHERE refund_id = NEW.id;
  ELSE
    PERFORM write_money_anew(ARRAY[NEW.order_id, OLD.order_id]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_money_update AFTER UPDATE ON refunds
  FOR EACH ROW WHEN ((OLD.state = 'done' OR NEW.state = 'done')
    AND (OLD.state, OLD.done_at, OLD.stray_payment_id) IS DISTINCT FROM (NEW.state, NEW.done_at, NEW.stray_payment_id))
  EXECUTE FUNCTION write_money_of_refund();
--> statement-breakpoint
-- The shop writes refund lines before the refund is completed, so this writes nothing for them.
CREATE FUNCTION write_money_of_refund_lines() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO money_by_line
    SELECT done_at, item.order_id, product_id, category_id, 0, 0, 0, 0, made.goods_cents + made.tax_cents
    FROM made JOIN refunds ON refunds.id = refund_id JOIN order_items AS item ON item.id = order_item_id
    WHERE state = 'done' AND stray_payment_id IS NULL AND done_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER refund_lines_money_insert AFTER INSERT ON refund_lines
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_refund_lines();
--> statement-breakpoint
CREATE FUNCTION write_money_of_changed_refund_lines() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_money_anew(array_agg(DISTINCT item.order_id))
  FROM gone JOIN refunds ON refunds.id = refund_id JOIN order_items AS item ON item.id = order_item_id
  WHERE state = 'done' HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER refund_lines_money_update AFTER UPDATE ON refund_lines
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_changed_refund_lines();
CREATE TRIGGER refund_lines_money_delete AFTER DELETE ON refund_lines
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_changed_refund_lines();
