-- no-transaction
ALTER TABLE "skill_markets" ADD COLUMN IF NOT EXISTS "is_by_role" boolean;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "skill_markets_not_by_role" ON "skill_markets" USING btree ("market_id") WHERE is_by_role is null;
