-- no-transaction
-- Since 0025 the triggers write the texts of markets that are added or change. A text that one of them has written is newer.
INSERT INTO "market_texts" ("market_id", "title", "slug")
SELECT id, title, slug FROM markets WHERE title <> '' AND NOT (length(condition_id) = 64 AND condition_id LIKE '0x03%')
ON CONFLICT ("market_id") DO NOTHING;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "market_texts_search" ON "market_texts" USING gin ("search");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "market_texts_title_trigrams" ON "market_texts" USING gin (lower("title") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "market_texts_title_start" ON "market_texts" USING btree (left(lower("title"), 200));
--> statement-breakpoint
ANALYZE "market_texts";
--> statement-breakpoint
-- Until the new release is deployed, searches read all markets.
DROP INDEX CONCURRENTLY IF EXISTS "markets_search";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "markets_title_trigrams";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "markets_title_start";
