-- no-transaction
CREATE TABLE IF NOT EXISTS "skill_stories" (
	"trader_id" bigint NOT NULL,
	"story" bigint NOT NULL,
	"edge" bigint NOT NULL,
	"information" bigint NOT NULL,
	"deviation" bigint NOT NULL,
	CONSTRAINT "skill_stories_trader_id_story_pk" PRIMARY KEY("trader_id","story")
);
--> statement-breakpoint
ALTER TABLE "skill_markets" ADD COLUMN IF NOT EXISTS "story" bigint;
--> statement-breakpoint
ALTER TABLE "skill_populations" ADD COLUMN IF NOT EXISTS "story_correlation" double precision DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "trader_skill"
	ADD COLUMN IF NOT EXISTS "story_edge_edge" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "story_edge_variance" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "story_variance_variance" bigint DEFAULT 0 NOT NULL,
	ADD COLUMN IF NOT EXISTS "story_information" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "skill_markets_without_story" ON "skill_markets" USING btree ("market_id") WHERE story is null;
