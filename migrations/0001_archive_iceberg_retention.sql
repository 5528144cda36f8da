CREATE TABLE "archive_retirements" (
	"day" date NOT NULL,
	"dataset" text NOT NULL,
	"rows" integer NOT NULL,
	"retired_at" timestamp with time zone NOT NULL,
	CONSTRAINT "archive_retirements_day_dataset_pk" PRIMARY KEY("day","dataset")
);
--> statement-breakpoint
CREATE TABLE "iceberg_tables" (
	"dataset" text PRIMARY KEY NOT NULL,
	"sequence" integer NOT NULL,
	"last_day" date,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- A result leaves the database with its archived day only. Other rows under this trigger never leave.
CREATE OR REPLACE FUNCTION "keep_archived"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'DELETE' AND tg_table_name = 'market_resolutions' THEN
    IF EXISTS (SELECT FROM archive_retirements r
      WHERE r.dataset = 'resolutions' AND r.day = (old.recorded_at AT TIME ZONE 'UTC')::date) THEN
      RETURN old;
    END IF;
  END IF;
  RAISE EXCEPTION 'rows of % never change', tg_table_name;
END $$;
--> statement-breakpoint
CREATE TRIGGER "archive_retirements_frozen" BEFORE UPDATE OR DELETE ON "archive_retirements" FOR EACH ROW EXECUTE FUNCTION keep_archived();
