CREATE TABLE "list_items" (
	"user_id" uuid NOT NULL,
	"list_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"par" smallint,
	"on_hand_tenths" smallint,
	"counted_at" timestamp with time zone,
	"position" integer NOT NULL,
	CONSTRAINT "list_items_user_id_list_id_product_id_pk" PRIMARY KEY("user_id","list_id","product_id"),
	CONSTRAINT "list_items_par" CHECK ("list_items"."par" between 0 and 999),
	CONSTRAINT "list_items_on_hand" CHECK ("list_items"."on_hand_tenths" between 0 and 9990),
	CONSTRAINT "list_items_counted" CHECK (("list_items"."on_hand_tenths" is null) = ("list_items"."counted_at" is null))
);
--> statement-breakpoint
CREATE TABLE "lists" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"position" integer NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "lists_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "lists_name_length" CHECK (char_length("lists"."name") between 1 and 60)
);
--> statement-breakpoint
ALTER TABLE "list_items" ADD CONSTRAINT "list_items_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_items" ADD CONSTRAINT "list_items_list" FOREIGN KEY ("user_id","list_id") REFERENCES "public"."lists"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lists" ADD CONSTRAINT "lists_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "list_items_product" ON "list_items" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "lists_name" ON "lists" USING btree ("user_id","name_key");