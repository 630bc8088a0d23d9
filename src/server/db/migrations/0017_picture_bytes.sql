ALTER TABLE "pictures" ADD COLUMN "kept_avif_bytes" integer;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "kept_webp_bytes" integer;