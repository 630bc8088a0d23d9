ALTER TABLE "order_items" ADD COLUMN "unit_size" text;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "net_grams" integer;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "net_millilitres" integer;