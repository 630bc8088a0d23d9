ALTER TABLE "session_families" ADD COLUMN "key_thumbprint" "bytea";--> statement-breakpoint
ALTER TABLE "session_families" ADD COLUMN "bound_token_hash" "bytea";