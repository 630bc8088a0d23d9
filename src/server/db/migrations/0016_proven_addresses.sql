CREATE TABLE "email_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "email_links_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "email_links_purpose" CHECK ("email_links"."purpose" in ('proof', 'takeover'))
);
--> statement-breakpoint
CREATE TABLE "notice_counts" (
	"recipient_hash" "bytea" PRIMARY KEY NOT NULL,
	"mailed_at" timestamp with time zone[] NOT NULL,
	"collecting_id" uuid,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- Accounts from before count as proven. The default fills their rows without rewriting the table, and is taken away again:
-- an account that an older process makes from now on is unproven.
ALTER TABLE "users" ADD COLUMN "email_proven_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "email_proven_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "email_links" ADD CONSTRAINT "email_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_links_user" ON "email_links" USING btree ("user_id","created_at");--> statement-breakpoint
-- A process of the release before knows nothing of proofs: an address that it changes is unproven.
CREATE FUNCTION unprove_new_email() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  new.email_proven_at := null;
  return new;
end $$;--> statement-breakpoint
CREATE TRIGGER users_email_unproven BEFORE UPDATE OF email_key ON users FOR EACH ROW
  WHEN (new.email_key <> old.email_key AND new.email_proven_at = old.email_proven_at)
  EXECUTE FUNCTION unprove_new_email();
