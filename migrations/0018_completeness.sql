ALTER TABLE "positions" ADD COLUMN "unmatched_usd_micro" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "unmatched_positions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "unmatched_usd_micro" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "combination_markets" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "combination_volume_micro" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
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
