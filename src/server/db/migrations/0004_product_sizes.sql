ALTER TABLE "products" ADD COLUMN "size_group" uuid;--> statement-breakpoint
CREATE INDEX "products_size_group" ON "products" USING btree ("size_group") WHERE size_group is not null;