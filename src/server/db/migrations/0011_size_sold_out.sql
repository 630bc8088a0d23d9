-- A size that sells out or comes back changes which size a list shows, so cached lists without it change, too.
CREATE TRIGGER products_told_size AFTER UPDATE ON products
  FOR EACH ROW WHEN (NEW.size_group IS NOT NULL AND (OLD.quantity > 0) <> (NEW.quantity > 0))
  EXECUTE FUNCTION tell_catalog_change('facts');
