CREATE TABLE "payment_events_cursor" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"taken_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "is_fetched" boolean DEFAULT false NOT NULL;