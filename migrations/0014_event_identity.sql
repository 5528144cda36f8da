-- no-transaction
ALTER TABLE "events" ADD COLUMN IF NOT EXISTS "identity" uuid;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "events_identity" ON "events" USING btree ("identity") WHERE identity is not null;
