ALTER TABLE "combo_fills" ADD COLUMN "is_taker" boolean;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_combo_fills"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO combo_fills (entry_id, market_id, traded_at, is_buy, shares_micro, usd_micro, is_taker)
  SELECT e.id, e.market_id, date_trunc('second', e.traded_at), e.kind = 'buy', e.shares_micro, e.usd_micro,
    e.role IS NOT DISTINCT FROM 'taker'
  FROM added e JOIN markets m ON m.id = e.market_id
  WHERE e.kind IN ('buy', 'sell') AND length(m.condition_id) = 64 AND m.condition_id LIKE '0x03%'
  ON CONFLICT (entry_id) DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "note_combo_taker"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE combo_fills SET is_taker = new.role IS NOT DISTINCT FROM 'taker' WHERE entry_id = new.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_combo_takers" AFTER UPDATE OF "role" ON "ledger_entries" FOR EACH ROW
WHEN (old.role IS DISTINCT FROM new.role) EXECUTE FUNCTION note_combo_taker();
