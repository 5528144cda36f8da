-- no-transaction
ALTER TABLE "combo_events" ADD COLUMN IF NOT EXISTS "outcome_index" smallint;--> statement-breakpoint
ALTER TABLE "trader_syncs" ADD COLUMN IF NOT EXISTS "combos_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trader_syncs" ADD COLUMN IF NOT EXISTS "combos_read_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trader_syncs" ADD COLUMN IF NOT EXISTS "combos_cursor" text;--> statement-breakpoint
ALTER TABLE "trader_syncs" ADD COLUMN IF NOT EXISTS "combos_attempts" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "combo_legs_position" ON "combo_legs" USING btree ("position_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "trader_syncs_combos_due" ON "trader_syncs" USING btree ("combos_due_at") WHERE combos_due_at is not null;--> statement-breakpoint
-- Combos that were traded before: their legs and their traders are read next.
INSERT INTO "combos" ("market_id", "status_reason", "read_due_at")
  SELECT "id", 'legs_not_indexed', now() FROM "markets" WHERE length("condition_id") = 64 AND "condition_id" LIKE '0x03%'
  ON CONFLICT ("market_id") DO NOTHING;--> statement-breakpoint
UPDATE "trader_syncs" SET "combos_due_at" = now()
  WHERE "gaps" @> '{combination}' AND "combos_due_at" IS NULL AND "combos_read_at" IS NULL;
