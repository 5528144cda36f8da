ALTER TABLE "outcomes" ADD COLUMN "last_trade_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "last_trade_tx" "bytea";--> statement-breakpoint
-- The newest recorded fill of each outcome, by the rule of src/db/priced-fills.ts. A price of the provider whose time is not known gives way to it.
UPDATE "outcomes" o SET "last_trade_price" = f.price, "last_trade_at" = f.traded_at, "last_trade_tx" = f.tx_hash
FROM (
  SELECT DISTINCT ON (e.outcome_id) e.outcome_id, e.price, e.traded_at, e.tx_hash
  FROM "ledger_entries" e
  WHERE e.kind IN ('buy', 'sell') AND e.shares_micro >= 10000
  ORDER BY e.outcome_id, e.traded_at DESC, e.tx_hash DESC, e.price DESC
) f
WHERE o.id = f.outcome_id;
