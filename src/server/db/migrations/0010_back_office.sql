CREATE TABLE "message_replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"by_user_id" uuid NOT NULL,
	"text" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"by_user_id" uuid NOT NULL,
	"text" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shop_settings" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"shop_name" text NOT NULL,
	"contact_email" text NOT NULL,
	"contact_phone" text NOT NULL,
	"time_zone" text NOT NULL,
	"low_stock_threshold" integer NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "shop_settings_only" CHECK ("shop_settings"."only")
);
--> statement-breakpoint
DROP INDEX "audit_log_at";--> statement-breakpoint
DROP INDEX "contact_messages_newest";--> statement-breakpoint
DROP INDEX "mails_newest";--> statement-breakpoint
DROP INDEX "orders_user";--> statement-breakpoint
DROP INDEX "orders_newest";--> statement-breakpoint
DROP INDEX "orders_status";--> statement-breakpoint
ALTER TABLE "message_replies" ADD CONSTRAINT "message_replies_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_replies" ADD CONSTRAINT "message_replies_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_replies_message" ON "message_replies" USING btree ("message_id","at");--> statement-breakpoint
CREATE INDEX "order_notes_order" ON "order_notes" USING btree ("order_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_new" ON "contact_messages" USING btree ("created_at","id") WHERE read_at is null and answered_at is null;--> statement-breakpoint
CREATE INDEX "contact_messages_read" ON "contact_messages" USING btree ("created_at","id") WHERE read_at is not null and answered_at is null;--> statement-breakpoint
CREATE INDEX "contact_messages_answered" ON "contact_messages" USING btree ("created_at","id") WHERE answered_at is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_words" ON "contact_messages" USING gin ("full_name" gin_trgm_ops,"email" gin_trgm_ops,"reason" gin_trgm_ops) WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "mails_by_state" ON "mails" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_by_number" ON "orders" USING btree (length("order_number"),"order_number","id");--> statement-breakpoint
CREATE INDEX "orders_by_customer" ON "orders" USING btree (lower("customer"),"id","customer");--> statement-breakpoint
CREATE INDEX "orders_by_total" ON "orders" USING btree ("total_cents","id");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("paid_at","id","total_cents") WHERE paid_at is not null;--> statement-breakpoint
CREATE INDEX "orders_words" ON "orders" USING gin ("customer" gin_trgm_ops,"order_number" gin_trgm_ops) WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree (lower("full_name"),"id","full_name");--> statement-breakpoint
CREATE INDEX "users_by_role" ON "users" USING btree ("role","created_at","id");--> statement-breakpoint
CREATE INDEX "users_by_state" ON "users" USING btree ("is_enabled","created_at","id");--> statement-breakpoint
CREATE INDEX "users_words" ON "users" USING gin ("full_name" gin_trgm_ops,"email" gin_trgm_ops) WITH (fastupdate = off);--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_newest" ON "contact_messages" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "mails_newest" ON "mails" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_user" ON "orders" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","id");