CREATE TABLE "trader_days" (
	"trader_id" bigint NOT NULL,
	"day" date NOT NULL,
	"realized_micro" bigint NOT NULL,
	"settled_micro" bigint NOT NULL,
	"fees_micro" bigint NOT NULL,
	"rebates_micro" bigint NOT NULL,
	"rewards_micro" bigint NOT NULL,
	"volume_micro" bigint NOT NULL,
	"entry_count" integer NOT NULL,
	CONSTRAINT "trader_days_trader_id_day_pk" PRIMARY KEY("trader_id","day")
);
--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "settled_on" date;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "rewards_micro" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What earlier versions stored: the day of settlement as far as it is known, rewards, and every wallet's days.
UPDATE "markets" SET "settled_on" = (coalesce("resolved_at", "resolution_checked_at", now()) at time zone 'UTC')::date WHERE "payouts_ppm" IS NOT NULL;--> statement-breakpoint
INSERT INTO "trader_totals" ("trader_id", "realized_micro", "settled_micro", "volume_micro", "fees_micro", "rewards_micro", "entry_count", "first_at", "last_at")
SELECT "trader_id", 0, 0, 0, 0, sum("usd_micro"), 0, min("happened_at"), max("happened_at")
FROM "wallet_activity" WHERE "type" IN ('REWARD', 'YIELD', 'REFERRAL_REWARD') GROUP BY "trader_id"
ON CONFLICT ("trader_id") DO UPDATE SET
	"rewards_micro" = excluded."rewards_micro",
	"first_at" = least("trader_totals"."first_at", excluded."first_at"),
	"last_at" = greatest("trader_totals"."last_at", excluded."last_at");--> statement-breakpoint
INSERT INTO "trader_days" ("trader_id", "day", "realized_micro", "settled_micro", "fees_micro", "rebates_micro", "rewards_micro", "volume_micro", "entry_count")
SELECT "trader_id", "day", sum("realized"), sum("settled"), sum("fees"), sum("rebates"), sum("rewards"), sum("volume"), sum("entries") FROM (
	SELECT "trader_id", ("traded_at" at time zone 'UTC')::date AS "day", coalesce("realized_micro", 0) AS "realized", 0 AS "settled",
		coalesce("fee_micro", 0) AS "fees", 0 AS "rebates", 0 AS "rewards",
		CASE WHEN "kind" IN ('buy', 'sell') THEN "usd_micro" ELSE 0 END AS "volume", 1 AS "entries" FROM "ledger_entries"
	UNION ALL
	SELECT p."trader_id", m."settled_on", 0, p."settled_micro", 0, 0, 0, 0, 0
	FROM "positions" p JOIN "markets" m ON m."id" = p."market_id" WHERE p."settled_micro" IS NOT NULL
	UNION ALL
	SELECT "trader_id", ("happened_at" at time zone 'UTC')::date, 0, 0, 0,
		CASE WHEN "type" IN ('MAKER_REBATE', 'TAKER_REBATE') THEN "usd_micro" ELSE 0 END,
		CASE WHEN "type" IN ('REWARD', 'YIELD', 'REFERRAL_REWARD') THEN "usd_micro" ELSE 0 END, 0, 0
	FROM "wallet_activity" WHERE "type" IN ('MAKER_REBATE', 'TAKER_REBATE', 'REWARD', 'YIELD', 'REFERRAL_REWARD')
) AS "parts" GROUP BY "trader_id", "day"
HAVING sum("realized") <> 0 OR sum("settled") <> 0 OR sum("fees") <> 0 OR sum("rebates") <> 0 OR sum("rewards") <> 0
	OR sum("volume") <> 0 OR sum("entries") <> 0;
