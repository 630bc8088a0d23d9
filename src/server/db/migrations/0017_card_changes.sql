-- A size that sells out or comes back moves its card, so only lists of cards change: of its category and of all products.
CREATE FUNCTION tell_card_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', 'cards of ' || NEW.category_id);
  PERFORM pg_notify('catalog', 'cards of 00000000-0000-0000-0000-000000000000');
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER products_told_size ON products;
--> statement-breakpoint
CREATE TRIGGER products_told_size AFTER UPDATE ON products
  FOR EACH ROW WHEN (NEW.size_group IS NOT NULL AND (OLD.quantity > 0) <> (NEW.quantity > 0))
  EXECUTE FUNCTION tell_card_change();
