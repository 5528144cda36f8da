DROP INDEX "positions_outcome_held";--> statement-breakpoint
CREATE INDEX "explore_entries_hot" ON "explore_entries" USING btree ("generation","discover_score" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "explore_entries_large_trades" ON "explore_entries" USING btree ("generation","large_trade_count" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "explore_entries_newest" ON "explore_entries" USING btree ("generation","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "large_trades_share" ON "large_trades" USING btree ("market_volume_share","traded_at","id") WHERE market_volume_share is not null;--> statement-breakpoint
CREATE INDEX "large_trades_suspicious" ON "large_trades" USING btree ("traded_at","id") WHERE suspicion_score >= 60;--> statement-breakpoint
CREATE INDEX "markets_settled" ON "markets" USING btree ("settled_on") WHERE payouts_ppm is not null;--> statement-breakpoint
CREATE INDEX "positions_outcome_held" ON "positions" USING btree ("outcome_id","value_micro") WHERE settled_micro is null and shares_micro > 0;