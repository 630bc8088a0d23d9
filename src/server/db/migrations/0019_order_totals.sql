-- The total of an order: delivery, sales tax, discount codes, and refunds by lines. Every new column has a constant default
-- or none, so no table is rewritten, and an order of a process of the release before is right as it is: goods = total.
-- All tables that are changed, before anything is: in a shop that is in use, the migration then waits for others with
-- nothing in its hands but locks.
LOCK TABLE "products", "orders", "order_items", "refunds" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "refund_lines" (
	"refund_id" uuid NOT NULL,
	"order_item_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"restock" boolean NOT NULL,
	"goods_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	CONSTRAINT "refund_lines_refund_id_order_item_id_pk" PRIMARY KEY("refund_id","order_item_id"),
	CONSTRAINT "refund_lines_quantity" CHECK ("refund_lines"."quantity" > 0),
	CONSTRAINT "refund_lines_parts" CHECK (least("refund_lines"."goods_cents", "refund_lines"."tax_cents") >= 0)
);
--> statement-breakpoint
CREATE TABLE "delivery_methods" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"price_cents" integer NOT NULL,
	"free_from_cents" integer,
	"states" text[],
	"position" integer NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"archived_at" timestamp with time zone,
	CONSTRAINT "delivery_methods_price" CHECK ("delivery_methods"."price_cents" >= 0 and "delivery_methods"."free_from_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "discounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"kind" text NOT NULL,
	"percent" smallint,
	"amount_cents" integer,
	"minimum_cents" integer,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"max_uses" integer,
	"max_uses_per_customer" integer,
	"category_ids" uuid[],
	"note" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "discounts_code_unique" UNIQUE("code"),
	CONSTRAINT "discounts_code" CHECK ("discounts"."code" ~ '^[A-Z0-9-]{3,40}$'),
	CONSTRAINT "discounts_kind" CHECK (("discounts"."kind" = 'percent') = ("discounts"."percent" is not null)
        and ("discounts"."kind" = 'amount') = ("discounts"."amount_cents" is not null)
        and "discounts"."kind" in ('percent', 'amount', 'free_delivery')),
	CONSTRAINT "discounts_percent" CHECK ("discounts"."percent" between 1 and 100),
	CONSTRAINT "discounts_amount" CHECK ("discounts"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "tax_rates" (
	"state" text PRIMARY KEY NOT NULL,
	"rate_ppm" integer NOT NULL,
	"taxes_delivery" boolean DEFAULT false NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tax_rates_rate" CHECK ("tax_rates"."rate_ppm" between 0 and 300000)
);
--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "discount_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "category_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_code" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_kind" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivery_method_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivery_name" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivery_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_state" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_rate_ppm" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "taxed_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivery_tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivery_note" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "taxable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "delivery_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "is_by_lines" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "customer_note" text;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_lines" ADD CONSTRAINT "refund_lines_order_item_id_order_items_id_fk" FOREIGN KEY ("order_item_id") REFERENCES "public"."order_items"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_lines_item" ON "refund_lines" USING btree ("order_item_id");--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_methods_name" ON "delivery_methods" USING btree (lower("name")) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "delivery_methods_position" ON "delivery_methods" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "discounts_newest" ON "discounts" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_discount_id_discounts_id_fk" FOREIGN KEY ("discount_id") REFERENCES "public"."discounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_delivery_method_id_delivery_methods_id_fk" FOREIGN KEY ("delivery_method_id") REFERENCES "public"."delivery_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_discount" ON "orders" USING btree ("discount_id","user_id") WHERE discount_id is not null;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_shares" CHECK ("order_items"."discount_cents" between 0 and "order_items"."total_cents" and "order_items"."tax_cents" >= 0);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_parts" CHECK (least("orders"."discount_cents", "orders"."delivery_cents", "orders"."taxed_cents", "orders"."delivery_tax_cents") >= 0
        and "orders"."tax_cents" >= "orders"."delivery_tax_cents"
        and "orders"."total_cents" >= "orders"."delivery_cents" + "orders"."tax_cents");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_parts" CHECK (least("refunds"."delivery_cents", "refunds"."tax_cents") >= 0
        and "refunds"."amount_cents" >= "refunds"."delivery_cents" + "refunds"."tax_cents");--> statement-breakpoint
-- What a product's form can change, whether it is taxed included.
CREATE OR REPLACE FUNCTION product_form_differs(was products, is_now products) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT (was.category_id, was.name, was.description, was.price_cents, was.availability, was.unit_size, was.origin,
          was.heat_level, was.allergens, was.other_names, was.unit_cost_cents, was.taxable)
    IS DISTINCT FROM
         (is_now.category_id, is_now.name, is_now.description, is_now.price_cents, is_now.availability, is_now.unit_size,
          is_now.origin, is_now.heat_level, is_now.allergens, is_now.other_names, is_now.unit_cost_cents, is_now.taxable)
$$;
