CREATE TABLE "pages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"markdown" text NOT NULL,
	"is_published" boolean NOT NULL,
	"position" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"archived_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "pages_slug" ON "pages" USING btree ("slug") WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "pages_position" ON "pages" USING btree ("position","id");
--> statement-breakpoint
-- A published page has a place in the catalog's feed: a device reads all pages again when it has others. The position is
-- assigned at commit, as those of products and categories are.
CREATE FUNCTION move_pages_in_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE catalog_cursor SET position = position + 1;
  PERFORM pg_notify('catalog', 'facts');
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER pages_feed_insert AFTER INSERT ON pages
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.is_published) EXECUTE FUNCTION move_pages_in_feed();
CREATE CONSTRAINT TRIGGER pages_feed_update AFTER UPDATE ON pages
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.is_published OR NEW.is_published)
    AND (OLD.slug, OLD.title, OLD.markdown, OLD.is_published, OLD.archived_at)
      IS DISTINCT FROM (NEW.slug, NEW.title, NEW.markdown, NEW.is_published, NEW.archived_at))
  EXECUTE FUNCTION move_pages_in_feed();
CREATE CONSTRAINT TRIGGER pages_feed_delete AFTER DELETE ON pages
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.is_published) EXECUTE FUNCTION move_pages_in_feed();
