DROP INDEX "large_trades_market";--> statement-breakpoint
DROP INDEX "positions_trader_value";--> statement-breakpoint
CREATE INDEX "explore_entries_category" ON "explore_entries" USING btree ("generation",lower("category"));--> statement-breakpoint
CREATE INDEX "leaderboard_entries_wallet" ON "leaderboard_entries" USING btree ("generation","trader_id","category");--> statement-breakpoint
CREATE INDEX "outcome_days_close" ON "outcome_days" USING btree ("outcome_id","day","close");--> statement-breakpoint
CREATE INDEX "large_trades_market" ON "large_trades" USING btree ("market_id","traded_at","id","trader_id");--> statement-breakpoint
CREATE INDEX "positions_trader_value" ON "positions" USING btree ("trader_id","value_micro","outcome_id","cost_micro","market_id","shares_micro","realized_micro","fees_micro") WHERE settled_micro is null and shares_micro > 0;--> statement-breakpoint
-- Price lines read the index alone, which takes pages that vacuum has seen since they changed; the last days are the youngest pages.
ALTER TABLE "outcome_days" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);--> statement-breakpoint
-- An index of an expression has statistics of its own, and before the next analyze has none: searches would be planned by guesses until then.
ANALYZE "markets", "explore_entries";
