-- no-transaction
-- The new indexes first: claims have one at every moment.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "markets_undescribed" ON "markets" USING btree ("id") WHERE hydrated_at is null and not (length(condition_id) = 64 and condition_id like '0x03%');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "markets_largely_traded" ON "markets" USING btree ("large_trade_last_at") WHERE not closed and payouts_ppm is null and large_trade_last_at is not null
          and not (length(condition_id) = 64 and condition_id like '0x03%');
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "markets_unhydrated";
