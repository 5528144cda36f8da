CREATE TABLE "skill_due" (
	"market_id" bigint PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "skill_markets" (
	"market_id" bigint NOT NULL,
	"trader_id" bigint NOT NULL,
	"cluster" bigint NOT NULL,
	"bets" integer NOT NULL,
	"usd_micro" bigint NOT NULL,
	"edge_micro" bigint NOT NULL,
	"variance_micro" bigint NOT NULL,
	CONSTRAINT "skill_markets_market_id_trader_id_pk" PRIMARY KEY("market_id","trader_id")
);
--> statement-breakpoint
CREATE TABLE "skill_populations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "skill_populations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"method_version" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"wallets" integer NOT NULL,
	"mean" double precision NOT NULL,
	"variance" double precision NOT NULL,
	"typical_variance" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trader_grades" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "trader_grades_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"trader_id" bigint NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL,
	"method_version" text NOT NULL,
	"population_id" bigint,
	"input_hash" text NOT NULL,
	"grade" text,
	"score" double precision,
	"forecast_score" double precision,
	"forecast_evidence" double precision,
	"ungraded_reason" text,
	"components" jsonb NOT NULL,
	CONSTRAINT "trader_grades_grade" CHECK ("trader_grades"."grade" in ('S', 'A', 'B', 'C', 'D', 'F'))
);
--> statement-breakpoint
CREATE TABLE "trader_skill" (
	"trader_id" bigint PRIMARY KEY NOT NULL,
	"bets" integer NOT NULL,
	"clusters" integer NOT NULL,
	"weight" bigint NOT NULL,
	"edge" bigint NOT NULL,
	"information" bigint NOT NULL,
	"square_information" bigint NOT NULL,
	"edge_edge" bigint NOT NULL,
	"edge_variance" bigint NOT NULL,
	"variance_variance" bigint NOT NULL,
	"is_due" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "traders" ADD COLUMN "score" double precision;--> statement-breakpoint
ALTER TABLE "traders" ADD COLUMN "forecast_score" double precision;--> statement-breakpoint
ALTER TABLE "traders" ADD COLUMN "forecast_evidence" double precision;--> statement-breakpoint
ALTER TABLE "traders" ADD COLUMN "graded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trader_grades" ADD CONSTRAINT "trader_grades_population_id_skill_populations_id_fk" FOREIGN KEY ("population_id") REFERENCES "public"."skill_populations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "skill_markets_cluster" ON "skill_markets" USING btree ("trader_id","cluster");--> statement-breakpoint
CREATE INDEX "trader_grades_at" ON "trader_grades" USING btree ("trader_id","valid_from","id");--> statement-breakpoint
INSERT INTO "skill_due" ("market_id") SELECT "id" FROM "markets" m WHERE "payouts_ppm" IS NOT NULL
  AND EXISTS (SELECT FROM "ledger_entries" e WHERE e."market_id" = m."id");
