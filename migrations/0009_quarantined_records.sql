CREATE TABLE "quarantined_records" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quarantined_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"feed" text NOT NULL,
	"reason" text NOT NULL,
	"digest" text NOT NULL,
	"record" jsonb NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quarantined_records_digest_unique" UNIQUE("digest")
);

--> statement-breakpoint
INSERT INTO "quarantined_records" ("feed", "reason", "digest", "record", "seen_at")
SELECT "feed", "reason", "digest", "record", "seen_at" FROM "set_aside_records" ORDER BY "id"
ON CONFLICT ("digest") DO NOTHING;
