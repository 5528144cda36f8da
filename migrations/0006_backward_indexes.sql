DROP INDEX "large_trades_recent";--> statement-breakpoint
DROP INDEX "large_trades_category";--> statement-breakpoint
DROP INDEX "large_trades_trader";--> statement-breakpoint
DROP INDEX "large_trades_market";--> statement-breakpoint
DROP INDEX "list_generations_newest";--> statement-breakpoint
CREATE INDEX "large_trades_recent" ON "large_trades" USING btree ("traded_at","id");--> statement-breakpoint
CREATE INDEX "large_trades_category" ON "large_trades" USING btree (lower("category"),"traded_at","id");--> statement-breakpoint
CREATE INDEX "large_trades_trader" ON "large_trades" USING btree ("trader_id","traded_at","id");--> statement-breakpoint
CREATE INDEX "large_trades_market" ON "large_trades" USING btree ("market_id","traded_at","id");--> statement-breakpoint
CREATE INDEX "list_generations_newest" ON "list_generations" USING btree ("list","id");