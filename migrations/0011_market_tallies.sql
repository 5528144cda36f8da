ALTER TABLE "explore_entries" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "markets_traded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "markets_resolved" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "markets_won" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trader_totals" ADD COLUMN "markets_decided" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "explore_entries_expiring" ON "explore_entries" USING btree ("generation","expires_at","id");--> statement-breakpoint
UPDATE "trader_totals" t SET "markets_traded" = m.traded, "markets_resolved" = m.resolved, "markets_won" = m.won, "markets_decided" = m.decided FROM (
	SELECT "trader_id", count(*) AS traded, count(*) FILTER (WHERE is_resolved) AS resolved,
		count(*) FILTER (WHERE is_resolved AND pnl_micro > 0) AS won, count(*) FILTER (WHERE is_resolved AND pnl_micro <> 0) AS decided
	FROM (
		SELECT "trader_id", "market_id", bool_and("settled_micro" IS NOT NULL) AS is_resolved,
			sum("realized_micro" + coalesce("settled_micro", 0) - "fees_micro") AS pnl_micro
		FROM "positions" GROUP BY "trader_id", "market_id"
	) per_market GROUP BY "trader_id"
) m WHERE m."trader_id" = t."trader_id";
--> statement-breakpoint
UPDATE "explore_entries" e SET "expires_at" = e."end_at" FROM "list_generations" g WHERE g."id" = e."generation" AND e."end_at" > g."built_at";
