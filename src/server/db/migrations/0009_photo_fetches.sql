-- Photos of imported products that are loaded from the web, and the old addresses of imported products.
CREATE TABLE "photo_fetches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"import_id" uuid,
	"line" integer,
	"position" smallint NOT NULL,
	"url" text NOT NULL,
	"alt" text,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"problem" text,
	"upload_id" uuid,
	"hash" text,
	"by_user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "photo_fetches_state" CHECK ("photo_fetches"."state" in ('waiting', 'done', 'failed', 'dropped'))
);
--> statement-breakpoint
CREATE TABLE "product_aliases" (
	"path" text PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "photo_fetches" ADD CONSTRAINT "photo_fetches_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_fetches" ADD CONSTRAINT "photo_fetches_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_aliases" ADD CONSTRAINT "product_aliases_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "photo_fetches_known" ON "photo_fetches" USING btree ("product_id",md5("url")) WHERE state in ('waiting', 'done');--> statement-breakpoint
CREATE INDEX "photo_fetches_of_import" ON "photo_fetches" USING btree ("import_id","state") WHERE import_id is not null;--> statement-breakpoint
CREATE INDEX "photo_fetches_due" ON "photo_fetches" USING btree ("next_try_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "product_aliases_of" ON "product_aliases" USING btree ("product_id");