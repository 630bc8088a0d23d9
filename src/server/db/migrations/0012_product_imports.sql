-- Imports of products from files, their rows, and which product an entry of a former shop became.
CREATE TABLE "product_import_rows" (
	"import_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"turn" integer NOT NULL,
	"line" integer NOT NULL,
	"name" text NOT NULL,
	"unit_size" text NOT NULL,
	"action" text NOT NULL,
	"state" text NOT NULL,
	"product_id" uuid,
	"cells" jsonb NOT NULL,
	"extras" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"problems" jsonb NOT NULL,
	"notes" jsonb NOT NULL,
	"undo" jsonb,
	"kept" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "product_import_rows_import_id_position_pk" PRIMARY KEY("import_id","position")
);
--> statement-breakpoint
CREATE TABLE "product_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"source" text NOT NULL,
	"file_name" text,
	"columns" jsonb NOT NULL,
	"header_hash" text NOT NULL,
	"mapping" jsonb,
	"counts" jsonb NOT NULL,
	"new_categories" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"done_rows" integer DEFAULT 0 NOT NULL,
	"of_rows" integer DEFAULT 0 NOT NULL,
	"first_created_at" timestamp with time zone,
	"created_by" uuid NOT NULL,
	"run_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "product_imports_state" CHECK ("product_imports"."state" in ('mapping', 'previewed', 'running', 'done', 'failed', 'undoing', 'undone'))
);
--> statement-breakpoint
CREATE TABLE "product_sources" (
	"source" text NOT NULL,
	"key" text NOT NULL,
	"product_id" uuid NOT NULL,
	"units" integer,
	CONSTRAINT "product_sources_source_key_pk" PRIMARY KEY("source","key")
);
--> statement-breakpoint
ALTER TABLE "product_import_rows" ADD CONSTRAINT "product_import_rows_import_id_product_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."product_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_import_rows" ADD CONSTRAINT "product_import_rows_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_run_by_users_id_fk" FOREIGN KEY ("run_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_sources" ADD CONSTRAINT "product_sources_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_import_rows_by_action" ON "product_import_rows" USING btree ("import_id","action","position");--> statement-breakpoint
CREATE INDEX "product_import_rows_by_state" ON "product_import_rows" USING btree ("import_id","state","turn");--> statement-breakpoint
CREATE INDEX "product_import_rows_product" ON "product_import_rows" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_imports_newest" ON "product_imports" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "product_imports_by_header" ON "product_imports" USING btree ("header_hash","created_at") WHERE mapping is not null;--> statement-breakpoint
CREATE INDEX "product_imports_working" ON "product_imports" USING btree ("created_at") WHERE state in ('running', 'undoing');--> statement-breakpoint
CREATE INDEX "product_sources_product" ON "product_sources" USING btree ("product_id");