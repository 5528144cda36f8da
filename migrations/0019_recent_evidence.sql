-- no-transaction
ALTER TABLE "skill_populations"
	ADD COLUMN IF NOT EXISTS "significance" double precision,
	ADD COLUMN IF NOT EXISTS "close_significance" double precision;
--> statement-breakpoint
ALTER TABLE "trader_skill" ADD COLUMN IF NOT EXISTS "recent_until" timestamp with time zone;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "trader_skill_recent_until" ON "trader_skill" USING btree ("recent_until") WHERE recent_until is not null;
