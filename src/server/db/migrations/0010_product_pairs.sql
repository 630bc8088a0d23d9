CREATE TABLE "product_pairs" (
	"key" uuid PRIMARY KEY NOT NULL,
	"others" uuid[] NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER product_pairs_told AFTER INSERT OR UPDATE OR DELETE ON product_pairs
  FOR EACH ROW EXECUTE FUNCTION tell_catalog_change('facts');
