-- no-transaction
-- The new index first: claims have one at every moment.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_oldest_due" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at","id") WHERE status in ('pending', 'retry');
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "webhook_deliveries_due";
