-- no-transaction
CREATE TABLE IF NOT EXISTS "skill_closes" (
	"market_id" bigint PRIMARY KEY NOT NULL,
	"digest" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "skill_markets"
	ADD COLUMN IF NOT EXISTS "close_usd_micro" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "close_edge_micro" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "close_variance_micro" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "is_by_close" boolean;
--> statement-breakpoint
ALTER TABLE "skill_populations"
	ADD COLUMN IF NOT EXISTS "close_mean" double precision,
	ADD COLUMN IF NOT EXISTS "close_variance" double precision,
	ADD COLUMN IF NOT EXISTS "close_covariance" double precision,
	ADD COLUMN IF NOT EXISTS "close_dispersion" double precision,
	ADD COLUMN IF NOT EXISTS "cross_dispersion" double precision;
--> statement-breakpoint
ALTER TABLE "trader_skill"
	ADD COLUMN IF NOT EXISTS "close_clusters" integer DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "close_edge" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "close_information" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "close_square_information" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "close_edge_edge" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "close_edge_variance" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "close_variance_variance" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "cross_edge_edge" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "cross_edge_variance" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "cross_variance_edge" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "cross_variance_variance" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "skill_markets_not_by_close" ON "skill_markets" USING btree ("market_id") WHERE is_by_close is null;
