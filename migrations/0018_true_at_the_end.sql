CREATE TABLE "sign_in_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"guesses" smallint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP TABLE "sign_in_rates" CASCADE;
--> statement-breakpoint
CREATE INDEX "sign_in_codes_expires" ON "sign_in_codes" USING btree ("expires_at");
--> statement-breakpoint
DROP INDEX "positions_value";
--> statement-breakpoint
CREATE INDEX "positions_value" ON "positions" USING btree ("value_micro","trader_id","outcome_id") WHERE settled_micro is null and value_micro >= 99995000;
--> statement-breakpoint
ALTER TABLE "positions" ADD COLUMN "unmatched_usd_micro" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "unmatched_positions" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "unmatched_usd_micro" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "combination_markets" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "combination_volume_micro" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE "positions" p SET "unmatched_usd_micro" = u.usd_micro FROM (
	SELECT "trader_id", "outcome_id", sum("usd_micro" - div(2 * "usd_micro"::numeric * matched + "shares_micro", 2 * "shares_micro"::numeric))::bigint AS usd_micro
	FROM (
		SELECT f.*, "shares_micro" + deficit - lag(deficit, 1, 0::numeric) OVER (PARTITION BY "trader_id", "outcome_id" ORDER BY place) AS matched
		FROM (
			SELECT b.*, least(0, min(balance) OVER (PARTITION BY "trader_id", "outcome_id" ORDER BY place)) AS deficit
			FROM (
				SELECT e."trader_id", e."outcome_id", e."kind", e."usd_micro", e."shares_micro", row_number() OVER fold AS place,
					sum(CASE WHEN e."kind" IN ('buy', 'split', 'convert_in') THEN e."shares_micro" ELSE -e."shares_micro" END) OVER fold AS balance
				FROM "ledger_entries" e JOIN "positions" q USING ("trader_id", "outcome_id")
				WHERE q."unmatched_shares_micro" > 0
				WINDOW fold AS (PARTITION BY e."trader_id", e."outcome_id" ORDER BY e."traded_at",
					array_position(ARRAY['split', 'buy', 'convert_in', 'merge', 'convert_out', 'sell'], e."kind"), e."tx_hash", e."shares_micro", e."ordinal"
					ROWS UNBOUNDED PRECEDING)
			) b
		) f
	) moves WHERE "kind" NOT IN ('buy', 'split', 'convert_in') AND "shares_micro" > 0 GROUP BY "trader_id", "outcome_id"
) u WHERE p."trader_id" = u."trader_id" AND p."outcome_id" = u."outcome_id";
--> statement-breakpoint
UPDATE "trader_totals" t SET "unmatched_positions" = c.unmatched_positions, "unmatched_usd_micro" = c.unmatched_usd_micro,
	"combination_markets" = c.combination_markets, "combination_volume_micro" = c.combination_volume_micro,
	"realized_micro" = t."realized_micro" - c.realized_micro, "fees_micro" = t."fees_micro" - c.fees_micro
FROM (
	SELECT p."trader_id", count(*) FILTER (WHERE NOT is_combination AND p."unmatched_shares_micro" > 0) AS unmatched_positions,
		coalesce(sum(p."unmatched_usd_micro") FILTER (WHERE NOT is_combination), 0) AS unmatched_usd_micro,
		count(DISTINCT p."market_id") FILTER (WHERE is_combination) AS combination_markets,
		coalesce(sum(p."bought_usd_micro" + p."sold_usd_micro") FILTER (WHERE is_combination), 0) AS combination_volume_micro,
		coalesce(sum(p."realized_micro") FILTER (WHERE is_combination), 0) AS realized_micro,
		coalesce(sum(p."fees_micro") FILTER (WHERE is_combination), 0) AS fees_micro
	FROM "positions" p JOIN (
		SELECT "id", length("condition_id") = 64 AND "condition_id" LIKE '0x03%' AS is_combination FROM "markets"
	) m ON m."id" = p."market_id"
	WHERE is_combination OR p."unmatched_shares_micro" > 0 GROUP BY p."trader_id"
) c WHERE c."trader_id" = t."trader_id";
--> statement-breakpoint
UPDATE "trader_days" d SET "realized_micro" = d."realized_micro" - c.realized_micro, "fees_micro" = d."fees_micro" - c.fees_micro
FROM (
	SELECT e."trader_id", (e."traded_at" AT TIME ZONE 'UTC')::date AS day, coalesce(sum(e."realized_micro"), 0) AS realized_micro,
		coalesce(sum(e."fee_micro"), 0) AS fees_micro
	FROM "ledger_entries" e JOIN "markets" m ON m."id" = e."market_id"
	WHERE length(m."condition_id") = 64 AND m."condition_id" LIKE '0x03%' GROUP BY 1, 2
) c WHERE c."trader_id" = d."trader_id" AND c.day = d."day" AND (c.realized_micro <> 0 OR c.fees_micro <> 0);
--> statement-breakpoint
UPDATE "trader_totals" t SET "markets_won" = t."markets_won" - c.won, "markets_decided" = t."markets_decided" - c.decided
FROM (
	SELECT "trader_id", count(*) FILTER (WHERE result_micro > 0) AS won, count(*) FILTER (WHERE result_micro <> 0) AS decided
	FROM (
		SELECT "trader_id", sum("realized_micro" + coalesce("settled_micro", 0) - "fees_micro") AS result_micro
		FROM "positions" GROUP BY "trader_id", "market_id"
		HAVING bool_and("settled_micro" IS NOT NULL) AND bool_or("unmatched_shares_micro" > 0)
	) per_market GROUP BY "trader_id"
) c WHERE c."trader_id" = t."trader_id";
--> statement-breakpoint
-- Frozen lists of the old form, which live for five minutes: their cursors expire.
DELETE FROM "position_snapshots";
--> statement-breakpoint
DROP INDEX "markets_unresolved";
--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "result_due_at" timestamp with time zone;
--> statement-breakpoint
CREATE INDEX "markets_result_due" ON "markets" USING btree ("result_due_at") WHERE payouts_ppm is null and result_due_at is not null;
--> statement-breakpoint
CREATE INDEX "markets_reversal_due" ON "markets" USING btree ("result_due_at") WHERE payouts_ppm is not null and result_due_at is not null;
--> statement-breakpoint
ALTER TABLE "markets" DROP COLUMN "resolution_enqueued_at";
--> statement-breakpoint
-- As src/domain/result-schedule.ts would have: described markets are asked from their end on, results of the last week again after six hours.
UPDATE "markets" SET "result_due_at" = CASE
  WHEN "payouts_ppm" IS NOT NULL THEN coalesce("resolution_checked_at", now()) + interval '6 hours'
  WHEN "closed" THEN least(coalesce("closed_at", "end_at", now()), now())
  ELSE "end_at" END
WHERE "hydrated_at" IS NOT NULL AND ("payouts_ppm" IS NULL OR "settled_on" >= current_date - 7);
--> statement-breakpoint
-- Exploration is built again from nothing, with rows that stand for several generations.
DELETE FROM "list_generations" WHERE "list" = 'explore';
--> statement-breakpoint
DROP TABLE "explore_entries" CASCADE;
--> statement-breakpoint
ALTER TABLE "wallet_syncs" DROP COLUMN "enqueued_at";
--> statement-breakpoint
CREATE TABLE "explore_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "explore_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entry_key" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "explore_due" (
	"entry_key" bigint PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "explore_entries" (
	"id" bigint NOT NULL,
	"added_in" bigint NOT NULL,
	"removed_in" bigint,
	"event_id" bigint,
	"market_ids" bigint[] NOT NULL,
	"representative_id" bigint NOT NULL,
	"category" text,
	"has_active" boolean NOT NULL,
	"has_closed" boolean NOT NULL,
	"volume_usd" numeric,
	"large_trade_count" integer NOT NULL,
	"trending_score" double precision NOT NULL,
	"discover_score" double precision NOT NULL,
	"score_components" jsonb,
	"end_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone,
	"search_text" text NOT NULL,
	CONSTRAINT "explore_entries_id_added_in_pk" PRIMARY KEY("id","added_in")
);
--> statement-breakpoint
CREATE TABLE "graded_markets" (
	"market_id" bigint PRIMARY KEY NOT NULL,
	"wallets" integer NOT NULL,
	"yes_shares_micro" bigint NOT NULL,
	"no_shares_micro" bigint NOT NULL,
	"sharp_net_micro" bigint
);
--> statement-breakpoint
CREATE TABLE "work_leases" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"enqueued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "work_leases_kind_key_pk" PRIMARY KEY("kind","key")
);
--> statement-breakpoint
ALTER TABLE "wallet_syncs" ADD COLUMN "failed_at" timestamp with time zone;
--> statement-breakpoint
CREATE INDEX "explore_due_at" ON "explore_due" USING btree ("due_at","entry_key");
--> statement-breakpoint
CREATE INDEX "explore_entries_category" ON "explore_entries" USING btree (lower("category"));
--> statement-breakpoint
CREATE INDEX "explore_entries_trending" ON "explore_entries" USING btree ("trending_score" DESC NULLS LAST,"id");
--> statement-breakpoint
CREATE INDEX "explore_entries_volume" ON "explore_entries" USING btree ("volume_usd" DESC NULLS LAST,"id");
--> statement-breakpoint
CREATE INDEX "explore_entries_hot" ON "explore_entries" USING btree ("discover_score" DESC NULLS LAST,"id");
--> statement-breakpoint
CREATE INDEX "explore_entries_large_trades" ON "explore_entries" USING btree ("large_trade_count" DESC NULLS LAST,"id");
--> statement-breakpoint
CREATE INDEX "explore_entries_expiring" ON "explore_entries" USING btree ("expires_at","id");
--> statement-breakpoint
CREATE INDEX "explore_entries_newest" ON "explore_entries" USING btree ("created_at" DESC NULLS LAST,"id");
--> statement-breakpoint
CREATE INDEX "explore_entries_removed" ON "explore_entries" USING btree ("removed_in") WHERE removed_in is not null;
--> statement-breakpoint
-- The entry of exploration that a market belongs to: that of its event, or its own.
CREATE FUNCTION "explore_key"(market_id bigint, event_id bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(event_id * 2, market_id * 2 + 1);
--> statement-breakpoint
CREATE FUNCTION "note_explore_market"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO explore_changes (entry_key) VALUES (explore_key(new.id, new.event_id));
  IF tg_op = 'UPDATE' AND old.event_id IS DISTINCT FROM new.event_id THEN
    INSERT INTO explore_changes (entry_key) VALUES (explore_key(old.id, old.event_id));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "note_explore_outcome"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO explore_changes (entry_key) SELECT explore_key(m.id, m.event_id) FROM markets m WHERE m.id = new.market_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "note_explore_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO explore_changes (entry_key) VALUES (new.id * 2);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "markets_explore_added" AFTER INSERT ON "markets" FOR EACH ROW WHEN (new.title <> '') EXECUTE FUNCTION note_explore_market();
--> statement-breakpoint
CREATE TRIGGER "markets_explore_changed" AFTER UPDATE ON "markets" FOR EACH ROW WHEN (
  (old.title, old.category, old.event_id, old.condition_id, old.closed, old.payouts_ppm, old.end_at, old.provider_created_at, old.volume_usd,
    old.volume_24h_usd, old.liquidity_usd, old.large_trade_count, old.large_trade_last_at)
  IS DISTINCT FROM
  (new.title, new.category, new.event_id, new.condition_id, new.closed, new.payouts_ppm, new.end_at, new.provider_created_at, new.volume_usd,
    new.volume_24h_usd, new.liquidity_usd, new.large_trade_count, new.large_trade_last_at)
) EXECUTE FUNCTION note_explore_market();
--> statement-breakpoint
-- Of prices it counts only whether there is one.
CREATE TRIGGER "outcomes_explore_added" AFTER INSERT ON "outcomes" FOR EACH ROW
WHEN (new.outcome_index = 0 AND (new.mark_price IS NOT NULL OR new.last_trade_price IS NOT NULL)) EXECUTE FUNCTION note_explore_outcome();
--> statement-breakpoint
CREATE TRIGGER "outcomes_explore_changed" AFTER UPDATE ON "outcomes" FOR EACH ROW WHEN (
  (old.outcome_index = 0) IS DISTINCT FROM (new.outcome_index = 0)
  OR new.outcome_index = 0 AND ((old.mark_price IS NULL) <> (new.mark_price IS NULL)
    OR (old.last_trade_price IS NULL) <> (new.last_trade_price IS NULL))
) EXECUTE FUNCTION note_explore_outcome();
--> statement-breakpoint
CREATE TRIGGER "provider_events_explore_changed" AFTER UPDATE ON "provider_events" FOR EACH ROW
WHEN ((old.title, old.category) IS DISTINCT FROM (new.title, new.category)) EXECUTE FUNCTION note_explore_event();
