CREATE TABLE "archive_blocks" (
	"day" date NOT NULL,
	"dataset" text NOT NULL,
	"block" integer NOT NULL,
	"rows" smallint NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"first_id" bigint NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"last_id" bigint NOT NULL,
	"root" "bytea" NOT NULL,
	CONSTRAINT "archive_blocks_day_dataset_block_pk" PRIMARY KEY("day","dataset","block")
);
--> statement-breakpoint
CREATE TABLE "archive_days" (
	"day" date PRIMARY KEY NOT NULL,
	"sequence" integer NOT NULL,
	"manifest" text NOT NULL,
	"head" text NOT NULL,
	"signature" text NOT NULL,
	"public_key" text NOT NULL,
	"signed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "archive_days_sequence_unique" UNIQUE("sequence"),
	CONSTRAINT "archive_days_head" CHECK ("archive_days"."head" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "archive_parts" (
	"day" date NOT NULL,
	"dataset" text NOT NULL,
	"part" smallint NOT NULL,
	"rows" integer NOT NULL,
	"last_at" timestamp with time zone,
	"last_id" bigint,
	"is_last" boolean NOT NULL,
	"object_key" text,
	"size" integer,
	"sha256" text,
	"writer" text,
	CONSTRAINT "archive_parts_day_dataset_part_pk" PRIMARY KEY("day","dataset","part"),
	CONSTRAINT "archive_parts_file" CHECK (("archive_parts"."rows" = 0) = ("archive_parts"."object_key" is null))
);
--> statement-breakpoint
CREATE TABLE "market_resolutions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "market_resolutions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"market_id" bigint NOT NULL,
	"status" text,
	"payouts_ppm" integer[],
	"resolved_at" timestamp with time zone,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "market_resolutions_recorded" ON "market_resolutions" USING btree ("recorded_at","id");
--> statement-breakpoint
-- Results from before this table, as they are now.
INSERT INTO "market_resolutions" ("market_id", "status", "payouts_ppm", "resolved_at")
SELECT "id", "resolution_status", "payouts_ppm", "resolved_at" FROM "markets" WHERE "payouts_ppm" IS NOT NULL ORDER BY "id";
--> statement-breakpoint
CREATE FUNCTION "note_market_resolution"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO market_resolutions (market_id, status, payouts_ppm, resolved_at)
    VALUES (new.id, new.resolution_status, new.payouts_ppm, new.resolved_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "markets_resolution_added" AFTER INSERT ON "markets" FOR EACH ROW
WHEN (new.payouts_ppm IS NOT NULL) EXECUTE FUNCTION note_market_resolution();
--> statement-breakpoint
CREATE TRIGGER "markets_resolution_changed" AFTER UPDATE ON "markets" FOR EACH ROW WHEN (
  old.payouts_ppm IS DISTINCT FROM new.payouts_ppm
  OR new.payouts_ppm IS NOT NULL AND old.resolved_at IS DISTINCT FROM new.resolved_at
) EXECUTE FUNCTION note_market_resolution();
--> statement-breakpoint
CREATE FUNCTION "keep_archived"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % never change', tg_table_name;
END $$;
--> statement-breakpoint
CREATE TRIGGER "archive_days_frozen" BEFORE UPDATE OR DELETE ON "archive_days" FOR EACH ROW EXECUTE FUNCTION keep_archived();
--> statement-breakpoint
CREATE TRIGGER "market_resolutions_append_only" BEFORE UPDATE OR DELETE ON "market_resolutions" FOR EACH ROW EXECUTE FUNCTION keep_archived();
