-- Bets are netted by market since method skill-3: the stored sums of all markets must be computed again.
INSERT INTO "skill_due" ("market_id") SELECT DISTINCT "market_id" FROM "skill_markets"
ON CONFLICT ("market_id") DO UPDATE SET "since" = greatest(clock_timestamp(), "skill_due"."since" + interval '1 microsecond'), "trader_ids" = NULL;
