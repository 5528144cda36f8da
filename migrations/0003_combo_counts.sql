-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "combos_undecided" ON "combos" USING btree ("status","market_id") WHERE status in ('pending', 'unknown');
--> statement-breakpoint
-- The fills that were recorded before the trigger of the last migration.
INSERT INTO combo_fills (entry_id, market_id, traded_at, is_buy, shares_micro, usd_micro)
SELECT e.id, e.market_id, date_trunc('second', e.traded_at), e.kind = 'buy', e.shares_micro, e.usd_micro
FROM markets m JOIN ledger_entries e ON e.market_id = m.id
WHERE e.kind IN ('buy', 'sell') AND length(m.condition_id) = 64 AND m.condition_id LIKE '0x03%'
ON CONFLICT (entry_id) DO NOTHING;
