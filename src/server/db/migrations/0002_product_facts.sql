-- Facts of trade: net amounts, codes, the former price, and what staff note.
ALTER TABLE "products" ADD COLUMN "compare_at_cents" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "net_grams" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "net_millilitres" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "sku" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "barcode" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "shipping_grams" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "form" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "best_before" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "ingredients" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "supplier" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "shelf_place" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "page_title" text;--> statement-breakpoint
CREATE UNIQUE INDEX "products_sku" ON "products" USING btree (lower("sku")) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "products_barcode" ON "products" USING btree ("barcode") WHERE barcode is not null;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_compare_at" CHECK ("products"."compare_at_cents" > "products"."price_cents");--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_net_amount" CHECK ("products"."net_grams" is null or "products"."net_millilitres" is null);