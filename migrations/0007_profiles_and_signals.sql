CREATE TABLE "flow_entries" (
	"generation" bigint NOT NULL,
	"market_id" bigint NOT NULL,
	"grade" text NOT NULL,
	"net_micro" bigint NOT NULL,
	"buy_micro" bigint NOT NULL,
	"sell_micro" bigint NOT NULL,
	"trade_count" integer NOT NULL,
	"wallet_count" integer NOT NULL,
	CONSTRAINT "flow_entries_generation_market_id_grade_pk" PRIMARY KEY("generation","market_id","grade")
);
--> statement-breakpoint
CREATE TABLE "outcome_days" (
	"outcome_id" bigint NOT NULL,
	"day" date NOT NULL,
	"open" numeric NOT NULL,
	"high" numeric NOT NULL,
	"low" numeric NOT NULL,
	"close" numeric NOT NULL,
	CONSTRAINT "outcome_days_outcome_id_day_pk" PRIMARY KEY("outcome_id","day")
);
--> statement-breakpoint
CREATE TABLE "suspicious_trades" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "suspicious_trades_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"large_trade_id" bigint NOT NULL,
	"trader_id" bigint NOT NULL,
	"market_id" bigint NOT NULL,
	"track" text NOT NULL,
	"side" text NOT NULL,
	"score" smallint NOT NULL,
	"scores" jsonb NOT NULL,
	"evidence" jsonb NOT NULL,
	"traded_at" timestamp with time zone NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "suspicious_trades_large_trade_id_unique" UNIQUE("large_trade_id"),
	CONSTRAINT "suspicious_trades_track" CHECK ("suspicious_trades"."track" in ('whale', 'fresh_conviction', 'sliced_position')),
	CONSTRAINT "suspicious_trades_side" CHECK ("suspicious_trades"."side" in ('yes', 'no')),
	CONSTRAINT "suspicious_trades_score" CHECK ("suspicious_trades"."score" between 60 and 100)
);
--> statement-breakpoint
CREATE TABLE "trader_profiles" (
	"trader_id" bigint PRIMARY KEY NOT NULL,
	"computed_at" timestamp with time zone NOT NULL,
	"basis" text NOT NULL,
	"strategy" text,
	"streak_tier" text,
	"form" double precision,
	"sharpe_30d" double precision,
	"profit_factor" double precision,
	"edge_consistency" double precision,
	"smart_score" double precision,
	"copy_score" double precision,
	"profile" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "large_trades" ADD COLUMN "judged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "flow_entries" ADD CONSTRAINT "flow_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspicious_trades" ADD CONSTRAINT "suspicious_trades_large_trade_id_large_trades_id_fk" FOREIGN KEY ("large_trade_id") REFERENCES "public"."large_trades"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "suspicious_trades_recent" ON "suspicious_trades" USING btree ("traded_at","id");--> statement-breakpoint
CREATE INDEX "suspicious_trades_score" ON "suspicious_trades" USING btree ("score","id");--> statement-breakpoint
CREATE INDEX "suspicious_trades_trader" ON "suspicious_trades" USING btree ("trader_id","traded_at","id");--> statement-breakpoint
CREATE INDEX "suspicious_trades_market" ON "suspicious_trades" USING btree ("market_id","traded_at","id");--> statement-breakpoint
CREATE INDEX "trader_profiles_computed" ON "trader_profiles" USING btree ("computed_at");--> statement-breakpoint
CREATE INDEX "large_trades_unjudged" ON "large_trades" USING btree ("traded_at") WHERE judged_at is null;