-- A stock change that starts or ends at 10 or less is told to all processes once more, on a channel of its own: the
-- public pages show what is left from there on. Triggers run in the order of their names, so the channel 'catalog' has
-- told the same change before, and a page that is drawn anew is drawn from new answers.
CREATE FUNCTION tell_low_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('low_stock', NEW.id::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_told_stock_low AFTER UPDATE ON products
  FOR EACH ROW WHEN (OLD.quantity <> NEW.quantity AND least(OLD.quantity, NEW.quantity) <= 10)
  EXECUTE FUNCTION tell_low_stock();
