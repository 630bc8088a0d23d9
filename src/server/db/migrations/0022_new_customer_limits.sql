ALTER TABLE "holds" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "shop_settings" ADD COLUMN "new_customer_limits" boolean DEFAULT true NOT NULL;