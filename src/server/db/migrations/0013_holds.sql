CREATE TABLE "holds" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"is_extended" boolean NOT NULL,
	"unpaid_ends" integer NOT NULL,
	"ended_by" uuid,
	CONSTRAINT "holds_order_id_unique" UNIQUE("order_id")
);
--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_paid_by" ON "orders" USING btree ("user_id","paid_at") WHERE paid_at is not null;