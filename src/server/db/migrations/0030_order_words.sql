CREATE TABLE "order_words" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"words" text NOT NULL,
	"ids" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "order_words" ADD CONSTRAINT "order_words_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_items_product" ON "order_items" USING btree ("product_id","order_id");--> statement-breakpoint
-- The expected content of order_words. Queries should filter it by order.
CREATE VIEW order_words_anew AS
  SELECT orders.id AS order_id, orders.created_at,
    lower(concat_ws(E'\n', order_number, customer, users.email, nullif(company, ''), street, nullif(street2, ''),
      (SELECT string_agg(DISTINCT product_name, E'\n') FROM order_items WHERE order_items.order_id = orders.id))) AS words,
    lower(concat_ws(E'\n',
      (SELECT payment_intent_id FROM payment_sessions WHERE payment_sessions.order_id = orders.id),
      (SELECT string_agg(stray_payment_id, E'\n' ORDER BY stray_payment_id) FROM refunds WHERE refunds.order_id = orders.id),
      (SELECT string_agg(regexp_replace(tracking_number, '[ -]', '', 'g'), E'\n' ORDER BY shipped_at, parcels.id)
        FROM parcels WHERE parcels.order_id = orders.id))) AS ids
  FROM orders JOIN users ON users.id = orders.user_id;
--> statement-breakpoint
-- Trigger functions run with the rights of the tables' owner, so a role that may write orders needs no rights on this
-- table.
CREATE FUNCTION write_order_words(of_orders uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO order_words SELECT * FROM order_words_anew WHERE order_id = ANY (of_orders)
  ON CONFLICT (order_id) DO UPDATE
    SET created_at = excluded.created_at, words = excluded.words, ids = excluded.ids
    WHERE (order_words.created_at, order_words.words, order_words.ids)
      IS DISTINCT FROM (excluded.created_at, excluded.words, excluded.ids);
$$;
--> statement-breakpoint
CREATE FUNCTION write_words_of_order() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_order_words(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER orders_words_update AFTER UPDATE ON orders
  FOR EACH ROW WHEN (
    (OLD.created_at, OLD.order_number, OLD.user_id, OLD.customer, OLD.company, OLD.street, OLD.street2) IS DISTINCT FROM
    (NEW.created_at, NEW.order_number, NEW.user_id, NEW.customer, NEW.company, NEW.street, NEW.street2))
  EXECUTE FUNCTION write_words_of_order();
--> statement-breakpoint
CREATE FUNCTION write_words_of_new_orders() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_order_words(array_agg(id)) FROM made HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_words_insert AFTER INSERT ON orders
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION write_words_of_new_orders();
--> statement-breakpoint
CREATE FUNCTION write_words_of_lines() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_order_words(array_agg(DISTINCT order_id)) FROM changed HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER order_items_words_insert AFTER INSERT ON order_items
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_words_of_lines();
CREATE TRIGGER order_items_words_update AFTER UPDATE ON order_items
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_words_of_lines();
CREATE TRIGGER order_items_words_delete AFTER DELETE ON order_items
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_words_of_lines();
--> statement-breakpoint
CREATE FUNCTION write_words_of_ids() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_order_words(ARRAY[coalesce(NEW.order_id, OLD.order_id)]);
  RETURN NULL;
END $$;
-- the shop starts a payment before it has an id
CREATE TRIGGER payment_sessions_words_insert AFTER INSERT ON payment_sessions
  FOR EACH ROW WHEN (NEW.payment_intent_id IS NOT NULL) EXECUTE FUNCTION write_words_of_ids();
CREATE TRIGGER payment_sessions_words_update AFTER UPDATE ON payment_sessions
  FOR EACH ROW WHEN (OLD.payment_intent_id IS DISTINCT FROM NEW.payment_intent_id)
  EXECUTE FUNCTION write_words_of_ids();
CREATE TRIGGER refunds_words_insert AFTER INSERT ON refunds
  FOR EACH ROW WHEN (NEW.stray_payment_id IS NOT NULL) EXECUTE FUNCTION write_words_of_ids();
CREATE TRIGGER parcels_words_insert AFTER INSERT ON parcels
  FOR EACH ROW WHEN (NEW.tracking_number IS NOT NULL) EXECUTE FUNCTION write_words_of_ids();
CREATE TRIGGER parcels_words_update AFTER UPDATE ON parcels
  FOR EACH ROW WHEN (OLD.tracking_number IS DISTINCT FROM NEW.tracking_number) EXECUTE FUNCTION write_words_of_ids();
CREATE TRIGGER parcels_words_delete AFTER DELETE ON parcels
  FOR EACH ROW WHEN (OLD.tracking_number IS NOT NULL) EXECUTE FUNCTION write_words_of_ids();
--> statement-breakpoint
CREATE FUNCTION write_words_of_email() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_order_words(array_agg(id)) FROM orders WHERE user_id = NEW.id HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER users_words_update AFTER UPDATE ON users
  FOR EACH ROW WHEN (OLD.email <> NEW.email) EXECUTE FUNCTION write_words_of_email();
--> statement-breakpoint
INSERT INTO order_words SELECT * FROM order_words_anew;--> statement-breakpoint
CREATE INDEX "order_words_newest" ON "order_words" USING btree ("created_at","order_id");--> statement-breakpoint
CREATE INDEX "order_words_parts" ON "order_words" USING gin ("words" gin_trgm_ops,"ids" gin_trgm_ops);
