-- Staff can filter products by supplier and by tag, which are counted over all categories.
CREATE OR REPLACE FUNCTION counts_of_product(product products) RETURNS TABLE (list text, part text, value text)
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT 'products', product.category_id::text, CASE WHEN product.archived_at IS NULL THEN 'listed' ELSE 'archived' END
  UNION ALL
  SELECT facet, product.category_id::text, facet_value FROM (
    SELECT 'heatLevels' AS facet, product.heat_level::text AS facet_value
    UNION ALL SELECT 'origins', product.origin
    UNION ALL SELECT DISTINCT 'allergens', lower(allergen) FROM unnest(product.allergens) AS allergen
    UNION ALL SELECT 'forms', product.form
    UNION ALL SELECT 'onSale', 'true' WHERE product.compare_at_cents IS NOT NULL
  ) AS facets WHERE facet_value IS NOT NULL AND product.archived_at IS NULL
  UNION ALL
  SELECT of_staff, CASE WHEN product.archived_at IS NULL THEN 'listed' ELSE 'archived' END, staff_value FROM (
    SELECT 'suppliers' AS of_staff, product.supplier AS staff_value
    UNION ALL SELECT DISTINCT 'tags', tag FROM unnest(product.tags) AS tag
  ) AS for_staff WHERE staff_value IS NOT NULL
$$;
--> statement-breakpoint
DROP TRIGGER products_counted_update ON products;
--> statement-breakpoint
CREATE TRIGGER products_counted_update AFTER UPDATE ON products
  FOR EACH ROW WHEN ((OLD.category_id, OLD.heat_level, OLD.origin, OLD.allergens, OLD.form, OLD.compare_at_cents IS NULL, OLD.archived_at IS NULL,
      OLD.supplier, OLD.tags)
    IS DISTINCT FROM (NEW.category_id, NEW.heat_level, NEW.origin, NEW.allergens, NEW.form, NEW.compare_at_cents IS NULL, NEW.archived_at IS NULL,
      NEW.supplier, NEW.tags))
  EXECUTE FUNCTION count_changed_product();
--> statement-breakpoint
INSERT INTO kept_counts
  SELECT counted.list, counted.part, counted.value, count(*)
  FROM products, counts_of_product(products) AS counted
  WHERE counted.list IN ('suppliers', 'tags')
  GROUP BY counted.list, counted.part, counted.value;
--> statement-breakpoint
CREATE INDEX "products_supplier" ON "products" USING btree ("supplier") WHERE supplier is not null;--> statement-breakpoint
CREATE INDEX "products_tags" ON "products" USING gin ("tags");