ALTER TABLE "refunds" ADD COLUMN "stray_payment_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_stray_payment_id_unique" UNIQUE("stray_payment_id");