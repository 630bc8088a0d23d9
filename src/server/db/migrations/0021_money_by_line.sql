-- Money by line, for the reports by product and category and the lists of orders that their names open. To join the lines
-- with the orders that were paid took most of a report of a year; a row of this table has the time of the payment itself.
-- Each row is written once, in the transaction of its payment or refund, so nobody waits for another's transaction.
-- All tables that are changed or read, before anything is: in a shop that is in use, the migration then waits for others
-- with nothing in its hands but locks.
LOCK TABLE "orders", "order_items", "refunds", "refund_lines" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "money_by_line" (
	"at" timestamp with time zone NOT NULL,
	"order_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"category_id" uuid,
	"units" integer NOT NULL,
	"goods_cents" integer NOT NULL,
	"discount_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"refund_cents" integer NOT NULL
);
--> statement-breakpoint
DROP INDEX "orders_paid";--> statement-breakpoint
-- What all rows must be. Whatever reads it for some orders says which ones.
CREATE VIEW "money_by_line_anew" AS
  SELECT paid_at AS at, order_id, product_id, category_id, quantity AS units, item.total_cents AS goods_cents,
    item.discount_cents, item.tax_cents, 0 AS refund_cents
  FROM orders JOIN order_items AS item ON order_id = orders.id WHERE paid_at IS NOT NULL
  UNION ALL
  SELECT done_at, item.order_id, product_id, category_id, 0, 0, 0, 0, line.goods_cents + line.tax_cents
  FROM refunds JOIN refund_lines AS line ON refund_id = refunds.id JOIN order_items AS item ON item.id = order_item_id
  WHERE refunds.state = 'done' AND stray_payment_id IS NULL AND done_at IS NOT NULL;
--> statement-breakpoint
INSERT INTO money_by_line SELECT * FROM money_by_line_anew ORDER BY at;
--> statement-breakpoint
CREATE INDEX "money_by_line_at" ON "money_by_line" USING btree ("at");--> statement-breakpoint
CREATE INDEX "orders_paid_sums" ON "orders" USING btree ("paid_at","id","total_cents","delivery_cents","delivery_tax_cents") WHERE paid_at is not null;
--> statement-breakpoint
ANALYZE money_by_line;
--> statement-breakpoint
-- For what the shop never does, such as to take back a payment or to change a line: the rows of these orders anew. It looks
-- through the whole table.
CREATE FUNCTION write_money_anew(of_orders uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM money_by_line WHERE order_id = ANY (of_orders);
  INSERT INTO money_by_line SELECT * FROM money_by_line_anew WHERE order_id = ANY (of_orders);
$$;
--> statement-breakpoint
-- The functions of the triggers have the rights of the tables' owner: a process of the release before has a login that was
-- given none for the new table.
CREATE FUNCTION write_paid_money() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
--> statement-breakpoint
CREATE TRIGGER orders_money_update AFTER UPDATE ON orders
  FOR EACH ROW WHEN (OLD.paid_at IS DISTINCT FROM NEW.paid_at) EXECUTE FUNCTION write_paid_money();
--> statement-breakpoint
-- An order that the shop places is not paid yet.
CREATE FUNCTION write_money_of_lines() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO money_by_line
    SELECT paid_at, order_id, product_id, category_id, quantity, made.total_cents, made.discount_cents, made.tax_cents, 0
    FROM made JOIN orders ON orders.id = order_id WHERE paid_at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER order_items_money_insert AFTER INSERT ON order_items
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_lines();
--> statement-breakpoint
CREATE FUNCTION write_money_of_changed_lines() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_money_anew(array_agg(DISTINCT order_id)) FROM gone HAVING count(*) > 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER order_items_money_update AFTER UPDATE ON order_items
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_changed_lines();
--> statement-breakpoint
CREATE TRIGGER order_items_money_delete AFTER DELETE ON order_items
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_changed_lines();
--> statement-breakpoint
-- A refund counts from the moment that it is made.
CREATE FUNCTION write_money_of_refund() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
--> statement-breakpoint
CREATE TRIGGER refunds_money_update AFTER UPDATE ON refunds
  FOR EACH ROW WHEN ((OLD.state = 'done' OR NEW.state = 'done')
    AND (OLD.state, OLD.done_at, OLD.stray_payment_id) IS DISTINCT FROM (NEW.state, NEW.done_at, NEW.stray_payment_id))
  EXECUTE FUNCTION write_money_of_refund();
--> statement-breakpoint
-- The lines of a refund that the shop writes are there before it is made.
CREATE FUNCTION write_money_of_refund_lines() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO money_by_line
    SELECT done_at, item.order_id, product_id, category_id, 0, 0, 0, 0, made.goods_cents + made.tax_cents
    FROM made JOIN refunds ON refunds.id = refund_id JOIN order_items AS item ON item.id = order_item_id
    WHERE state = 'done' AND stray_payment_id IS NULL AND done_at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER refund_lines_money_insert AFTER INSERT ON refund_lines
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_refund_lines();
--> statement-breakpoint
CREATE FUNCTION write_money_of_changed_refund_lines() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_money_anew(array_agg(DISTINCT item.order_id))
  FROM gone JOIN refunds ON refunds.id = refund_id JOIN order_items AS item ON item.id = order_item_id
  WHERE state = 'done' HAVING count(*) > 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER refund_lines_money_update AFTER UPDATE ON refund_lines
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_changed_refund_lines();
--> statement-breakpoint
CREATE TRIGGER refund_lines_money_delete AFTER DELETE ON refund_lines
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION write_money_of_changed_refund_lines();
