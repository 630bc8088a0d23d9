CREATE INDEX "mails_waiting" ON "mails" USING btree ("created_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "mails_order" ON "mails" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_sessions_payment" ON "payment_sessions" USING btree ("payment_intent_id");