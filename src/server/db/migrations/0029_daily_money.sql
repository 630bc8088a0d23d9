CREATE TABLE "daily_money" (
	"day" date NOT NULL,
	"part" text NOT NULL,
	"key" text NOT NULL,
	"orders" integer NOT NULL,
	"units" integer NOT NULL,
	"goods_cents" integer NOT NULL,
	"discount_cents" integer NOT NULL,
	"delivery_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"returned_cents" integer NOT NULL,
	"returned_delivery_cents" integer NOT NULL,
	"returned_tax_cents" integer NOT NULL,
	"cost_cents" integer NOT NULL,
	"restocked_cost_cents" integer NOT NULL,
	"units_without_cost" integer NOT NULL,
	CONSTRAINT "daily_money_part_day_key_pk" PRIMARY KEY("part","day","key")
);
--> statement-breakpoint
CREATE TABLE "daily_money_zone" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"time_zone" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "money_touched" (
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint

-- Daily money ---------------------------------------------------------------------------------------------------------

-- As startOfDay in http/core/shopDays.ts: the first moment with this date in the time zone.
CREATE FUNCTION start_of_day(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(moment) FILTER (WHERE (moment AT TIME ZONE zone)::date = day), max(moment))
  FROM (SELECT day::timestamp AT TIME ZONE zone - make_interval(mins => before) AS moment
    FROM unnest(ARRAY[0, 30, 60, 120]) AS before) AS moments
$$;
--> statement-breakpoint
-- The expected content of daily_money for these days. A day at a time: the planner knows how few rows that is.
CREATE FUNCTION daily_money_anew(of_days date[], zone text) RETURNS SETOF daily_money LANGUAGE plpgsql STABLE AS $$
DECLARE
  this_day date;
  begins timestamptz;
  ends timestamptz;
BEGIN
  FOREACH this_day IN ARRAY of_days LOOP
    begins := start_of_day(this_day, zone);
    ends := start_of_day(this_day + 1, zone);
    RETURN QUERY
    WITH paid AS MATERIALIZED (
      SELECT id, state, coalesce(discount_id::text, 'none') AS code, delivery_cents, delivery_tax_cents
      FROM orders WHERE paid_at >= begins AND paid_at < ends),
    given AS MATERIALIZED (
      SELECT refunds.id, order_id, orders.state, coalesce(discount_id::text, 'none') AS code, amount_cents,
        refunds.delivery_cents, refunds.tax_cents, is_by_lines, restock,
        refunds.state = 'done' AND stray_payment_id IS NULL AS is_counted
      FROM refunds JOIN orders ON orders.id = order_id WHERE done_at >= begins AND done_at < ends),
    moves (product, category, state, code, orders, units, goods, discount, delivery, tax, returned, returned_delivery,
      returned_tax, cost, restocked_cost, without_cost) AS (
      -- what was sold
      SELECT product_id::text, category_id::text, state, code, 0, quantity, total_cents, discount_cents, 0,
        item.tax_cents, 0, 0, 0, coalesce(unit_cost_cents * quantity, 0), 0,
        CASE WHEN unit_cost_cents IS NULL THEN quantity ELSE 0 END
      FROM paid JOIN order_items AS item ON order_id = paid.id
      UNION ALL
      SELECT 'delivery', 'delivery', state, code, 1, 0, 0, 0, delivery_cents, delivery_tax_cents, 0, 0, 0, 0, 0, 0
      FROM paid
      UNION ALL
      -- what was refunded by lines; units stay restocked if a bank returns the money
      SELECT product_id::text, category_id::text, state, code, 0, 0, 0, 0, 0, 0,
        CASE WHEN is_counted THEN line.goods_cents ELSE 0 END, 0, CASE WHEN is_counted THEN line.tax_cents ELSE 0 END, 0,
        CASE WHEN line.restock THEN coalesce(unit_cost_cents * line.quantity, 0) ELSE 0 END,
        CASE WHEN line.restock AND unit_cost_cents IS NULL THEN line.quantity ELSE 0 END
      FROM given JOIN refund_lines AS line ON refund_id = given.id JOIN order_items AS item ON item.id = order_item_id
      UNION ALL
      -- what a refund has besides its lines
      SELECT beside, beside, state, code, 0, 0, 0, 0, 0, 0,
        amount_cents - delivery_cents - tax_cents - coalesce(of_lines.goods, 0), delivery_cents,
        tax_cents - coalesce(of_lines.tax, 0), 0, 0, 0
      FROM given CROSS JOIN LATERAL (SELECT CASE WHEN is_by_lines THEN 'delivery' ELSE 'none' END AS beside) AS named
      CROSS JOIN LATERAL (
        SELECT sum(goods_cents) AS goods, sum(refund_lines.tax_cents) AS tax FROM refund_lines WHERE refund_id = given.id
      ) AS of_lines
      WHERE is_counted
      UNION ALL
      -- whole orders that were restocked
      SELECT product_id::text, category_id::text, state, code, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        coalesce(unit_cost_cents * quantity, 0), CASE WHEN unit_cost_cents IS NULL THEN quantity ELSE 0 END
      FROM given JOIN order_items AS item ON item.order_id = given.order_id WHERE restock)
    SELECT this_day, parts.part, parts.key, sum(orders)::integer, sum(units)::integer, sum(goods)::integer,
      sum(discount)::integer, sum(delivery)::integer, sum(tax)::integer, sum(returned)::integer,
      sum(returned_delivery)::integer, sum(returned_tax)::integer, sum(cost)::integer, sum(restocked_cost)::integer,
      sum(without_cost)::integer
    FROM moves CROSS JOIN LATERAL (VALUES ('product', product), ('category', category), ('state', state), ('code', code)
      ) AS parts (part, key)
    GROUP BY parts.part, parts.key;
  END LOOP;
END $$;
--> statement-breakpoint
-- The daily money of a period: as kept, except of days that changed since, or when nothing is kept for the time zone.
CREATE FUNCTION daily_money_of(first_day date, last_day date, zone text) RETURNS SETOF daily_money LANGUAGE sql STABLE AS $$
  WITH stale AS MATERIALIZED (
    SELECT day::date FROM generate_series(first_day::timestamp, last_day, interval '1 day') AS day
      WHERE NOT EXISTS (SELECT FROM daily_money_zone WHERE time_zone = zone)
    UNION
    SELECT (at AT TIME ZONE zone)::date FROM money_touched
      WHERE (at AT TIME ZONE zone)::date BETWEEN first_day AND last_day)
  SELECT kept.* FROM daily_money AS kept
    WHERE kept.day BETWEEN first_day AND last_day AND kept.day NOT IN (SELECT day FROM stale)
  UNION ALL
  SELECT anew.* FROM daily_money_anew(ARRAY(SELECT day FROM stale), zone) AS anew
$$;
--> statement-breakpoint
-- Each trigger notes the days that a change concerns. It only adds rows, so no transaction waits for another one's.
CREATE FUNCTION touch_money(VARIADIC moments timestamptz[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO money_touched SELECT moment FROM unnest(moments) AS moment WHERE moment IS NOT NULL
$$;
--> statement-breakpoint
CREATE FUNCTION touch_changed_order() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO money_touched SELECT DISTINCT date_trunc('minute', paid_at) FROM made WHERE paid_at IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM touch_money(OLD.paid_at);
  ELSE
    PERFORM touch_money(OLD.paid_at, CASE WHEN NEW.paid_at IS DISTINCT FROM OLD.paid_at THEN NEW.paid_at END);
    IF (OLD.state, OLD.discount_id) IS DISTINCT FROM (NEW.state, NEW.discount_id) THEN
      INSERT INTO money_touched SELECT done_at FROM refunds WHERE order_id = NEW.id AND done_at IS NOT NULL;
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_touch_insert AFTER INSERT ON orders
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION touch_changed_order();
CREATE TRIGGER orders_touch_update AFTER UPDATE ON orders
  FOR EACH ROW WHEN ((OLD.paid_at, OLD.state, OLD.discount_id, OLD.delivery_cents, OLD.delivery_tax_cents)
    IS DISTINCT FROM (NEW.paid_at, NEW.state, NEW.discount_id, NEW.delivery_cents, NEW.delivery_tax_cents))
  EXECUTE FUNCTION touch_changed_order();
CREATE TRIGGER orders_touch_delete AFTER DELETE ON orders
  FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL) EXECUTE FUNCTION touch_changed_order();
--> statement-breakpoint
CREATE FUNCTION touch_money_of_lines() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO money_touched
    SELECT DISTINCT date_trunc('minute', moment)
    FROM changed JOIN orders ON orders.id = order_id
    CROSS JOIN LATERAL (SELECT paid_at UNION ALL SELECT done_at FROM refunds WHERE refunds.order_id = orders.id
      ) AS moments (moment)
    WHERE paid_at IS NOT NULL AND moment IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER order_items_touch_insert AFTER INSERT ON order_items
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_money_of_lines();
CREATE TRIGGER order_items_touch_update AFTER UPDATE ON order_items
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_money_of_lines();
CREATE TRIGGER order_items_touch_delete AFTER DELETE ON order_items
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_money_of_lines();
--> statement-breakpoint
CREATE FUNCTION touch_changed_refund() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO money_touched SELECT DISTINCT date_trunc('minute', done_at) FROM made WHERE done_at IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM touch_money(OLD.done_at);
  ELSE
    PERFORM touch_money(OLD.done_at, CASE WHEN NEW.done_at IS DISTINCT FROM OLD.done_at THEN NEW.done_at END);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_touch_insert AFTER INSERT ON refunds
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION touch_changed_refund();
CREATE TRIGGER refunds_touch_update AFTER UPDATE ON refunds
  FOR EACH ROW WHEN (OLD.done_at IS NOT NULL OR NEW.done_at IS NOT NULL) EXECUTE FUNCTION touch_changed_refund();
CREATE TRIGGER refunds_touch_delete AFTER DELETE ON refunds
  FOR EACH ROW WHEN (OLD.done_at IS NOT NULL) EXECUTE FUNCTION touch_changed_refund();
--> statement-breakpoint
CREATE FUNCTION touch_money_of_refund_lines() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO money_touched
    SELECT DISTINCT date_trunc('minute', done_at)
    FROM changed JOIN refunds ON refunds.id = refund_id WHERE done_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER refund_lines_touch_insert AFTER INSERT ON refund_lines
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_money_of_refund_lines();
CREATE TRIGGER refund_lines_touch_update AFTER UPDATE ON refund_lines
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_money_of_refund_lines();
CREATE TRIGGER refund_lines_touch_delete AFTER DELETE ON refund_lines
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_money_of_refund_lines();
