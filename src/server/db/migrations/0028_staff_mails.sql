CREATE TABLE "daily_mail_orders" (
	"user_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	CONSTRAINT "daily_mail_orders_user_id_order_id_pk" PRIMARY KEY("user_id","order_id")
);
--> statement-breakpoint
CREATE TABLE "staff_mails" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"new_order" text NOT NULL,
	"low_stock" boolean NOT NULL,
	"new_message" boolean NOT NULL,
	CONSTRAINT "staff_mails_new_order" CHECK ("staff_mails"."new_order" in ('off', 'each', 'daily'))
);
--> statement-breakpoint
ALTER TABLE "daily_mail_orders" ADD CONSTRAINT "daily_mail_orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_mail_orders" ADD CONSTRAINT "daily_mail_orders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_mails" ADD CONSTRAINT "staff_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;