-- A hash of the whole file, to recognize it when it is imported again.
ALTER TABLE "product_imports" ADD COLUMN "file_hash" text;