-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "combo_fills_takers_recent" ON "combo_fills" USING btree ("traded_at","entry_id","is_taker") WHERE is_listed and is_taker is not false;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "combo_fills_takers_largest" ON "combo_fills" USING btree ("usd_micro","entry_id","traded_at","is_taker") WHERE is_listed and is_taker is not false;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "combo_fills_takers_payout" ON "combo_fills" USING btree ("shares_micro","entry_id","traded_at","is_taker") WHERE is_listed and is_buy and is_taker is not false;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "combo_fills_unfilled" ON "combo_fills" USING btree ("entry_id") WHERE is_taker is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "games_state" ON "games" USING btree ("state","scheduled_at","event_slug");
