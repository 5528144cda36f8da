-- no-transaction
CREATE TABLE IF NOT EXISTS "explore_removals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "explore_removals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"removed_in" bigint NOT NULL,
	"entry_ids" bigint[] NOT NULL,
	"added_in" bigint[] NOT NULL
);
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "explore_entries_removed";
