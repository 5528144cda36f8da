DROP INDEX "ledger_entries_position";--> statement-breakpoint
DROP INDEX "markets_category_volume";--> statement-breakpoint
DROP INDEX "positions_trader_value";--> statement-breakpoint
CREATE INDEX "markets_volume" ON "markets" USING btree (coalesce(volume_usd, -1) desc,"id");--> statement-breakpoint
CREATE INDEX "markets_title_start" ON "markets" USING btree (left(lower("title"), 200));--> statement-breakpoint
CREATE INDEX "traders_graded" ON "traders" USING btree ("grade","id") WHERE grade is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_position" ON "ledger_entries" USING btree ("trader_id","outcome_id","traded_at","market_id","kind");--> statement-breakpoint
CREATE INDEX "markets_category_volume" ON "markets" USING btree (lower("category"),coalesce(volume_usd, -1) desc,"id");--> statement-breakpoint
CREATE INDEX "positions_trader_value" ON "positions" USING btree ("trader_id","value_micro","outcome_id","cost_micro") WHERE settled_micro is null and shares_micro > 0;--> statement-breakpoint
-- Lists by value read the index alone, which takes pages that vacuum has seen since they changed.
ALTER TABLE "positions" SET (autovacuum_vacuum_scale_factor = 0.02);
