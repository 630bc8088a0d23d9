-- Which photo an upload replaces: the first one may be another by the time it is ready.
ALTER TABLE "picture_uploads" ADD COLUMN "replaces" text;