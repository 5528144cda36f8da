-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ledger_entries_recorded" ON "ledger_entries" USING btree ("recorded_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "large_trades_recorded" ON "large_trades" USING btree ("recorded_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "trader_grades_published" ON "trader_grades" USING btree ("published_at","id");