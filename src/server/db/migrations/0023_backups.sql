CREATE TABLE "backup_schedule" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"is_on" boolean NOT NULL,
	"hour" smallint NOT NULL,
	"days" smallint NOT NULL,
	"weeks" smallint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "backup_schedule_only" CHECK ("backup_schedule"."only")
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"cause" text NOT NULL,
	"started_by" uuid,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"place" uuid,
	"name" text,
	"bytes" bigint,
	"verified_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "backups_state" CHECK ("backups"."state" in ('waiting', 'running', 'good', 'failed', 'damaged'))
);
--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "backups_newest" ON "backups" USING btree ("started_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "backups_folder" ON "backups" USING btree ("place","name");--> statement-breakpoint
CREATE UNIQUE INDEX "backups_unfinished" ON "backups" USING btree ((true)) WHERE state in ('waiting', 'running');