-- no-transaction
ALTER TABLE "skill_markets" ADD COLUMN IF NOT EXISTS "is_netted" boolean;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "skill_markets_not_netted" ON "skill_markets" USING btree ("market_id") WHERE is_netted is null;
