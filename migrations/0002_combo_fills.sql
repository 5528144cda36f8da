CREATE TABLE "combo_fills" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"market_id" bigint NOT NULL,
	"traded_at" timestamp with time zone NOT NULL,
	"is_buy" boolean NOT NULL,
	"shares_micro" bigint NOT NULL,
	"usd_micro" bigint NOT NULL,
	"is_listed" boolean GENERATED ALWAYS AS (shares_micro > 0 and (usd_micro::numeric * 100 <= shares_micro::numeric * 95
        or usd_micro::numeric * 20000 < shares_micro::numeric * 19001
          and usd_micro::numeric * 10000 <= shares_micro::numeric * 9500 + 10000
        or usd_micro::numeric * 2000000 < shares_micro::numeric * 1900001)) STORED
);
--> statement-breakpoint
CREATE INDEX "combo_fills_recent" ON "combo_fills" USING btree ("traded_at","entry_id") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "combo_fills_largest" ON "combo_fills" USING btree ("usd_micro","entry_id") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "combo_fills_payout" ON "combo_fills" USING btree ("shares_micro","entry_id") WHERE is_listed and is_buy;--> statement-breakpoint
CREATE INDEX "combo_fills_market" ON "combo_fills" USING btree ("market_id","traded_at","entry_id");--> statement-breakpoint
CREATE FUNCTION "note_combo_fills"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO combo_fills (entry_id, market_id, traded_at, is_buy, shares_micro, usd_micro)
  SELECT e.id, e.market_id, date_trunc('second', e.traded_at), e.kind = 'buy', e.shares_micro, e.usd_micro
  FROM added e JOIN markets m ON m.id = e.market_id
  WHERE e.kind IN ('buy', 'sell') AND length(m.condition_id) = 64 AND m.condition_id LIKE '0x03%'
  ON CONFLICT (entry_id) DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_combo_fills" AFTER INSERT ON "ledger_entries" REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION note_combo_fills();
