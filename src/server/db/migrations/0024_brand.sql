ALTER TABLE "shop_settings" ADD COLUMN "banner_title" text DEFAULT 'Savory, Seasoning & Spices' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_settings" ADD COLUMN "banner_text" text DEFAULT 'Flavor your world with our savory sensations!' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_settings" ADD COLUMN "about_text" text DEFAULT 'We are a Gambian-owned shop for savory seasonings and spices.

Home cooks and professional chefs cook from the same jars. Browse, build a cart, and check any product right in your kitchen, even without a signal.' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_settings" ADD COLUMN "palette" text DEFAULT 'crimson' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_settings" ADD COLUMN "store_address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_settings" ADD COLUMN "logo" jsonb;