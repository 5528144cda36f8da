CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "flow_alerts" (
	"market_id" bigint NOT NULL,
	"window" text NOT NULL,
	"side" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "flow_alerts_market_id_window_pk" PRIMARY KEY("market_id","window"),
	CONSTRAINT "flow_alerts_side" CHECK ("flow_alerts"."side" in ('yes', 'no', 'none'))
);
--> statement-breakpoint
CREATE TABLE "holder_scans" (
	"market_id" bigint PRIMARY KEY NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"enqueued_at" timestamp with time zone,
	"fetched_at" timestamp with time zone,
	"wallet_count" integer,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "large_position_entries" (
	"generation" bigint NOT NULL,
	"rank" integer NOT NULL,
	"trader_id" bigint NOT NULL,
	"market_id" bigint NOT NULL,
	"event_id" bigint,
	"grade" text NOT NULL,
	"category" text,
	"value_micro" bigint NOT NULL,
	"holdings" jsonb NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "large_position_entries_generation_rank_pk" PRIMARY KEY("generation","rank")
);
--> statement-breakpoint
CREATE TABLE "market_holders" (
	"market_id" bigint NOT NULL,
	"trader_id" bigint NOT NULL,
	"outcome_index" smallint NOT NULL,
	"shares_micro" bigint NOT NULL,
	"value_micro" bigint,
	CONSTRAINT "market_holders_market_id_trader_id_outcome_index_pk" PRIMARY KEY("market_id","trader_id","outcome_index")
);
--> statement-breakpoint
CREATE TABLE "position_snapshots" (
	"key_id" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"filters" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"rows" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_figures" (
	"trader_id" bigint PRIMARY KEY NOT NULL,
	"all_time_pnl_usd" numeric,
	"all_time_volume_shares" numeric,
	"board_as_of" timestamp with time zone,
	"correction_micro" bigint,
	"realized_micro" bigint,
	"net_micro" bigint,
	"markets_measured" integer,
	"markets_excluded" integer,
	"measured_at" timestamp with time zone,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"enqueued_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "report_snapshots" (
	"kind" text NOT NULL,
	"period" text NOT NULL,
	"start_on" date NOT NULL,
	"end_on" date NOT NULL,
	"version" integer NOT NULL,
	"status" text NOT NULL,
	"generated_at" timestamp with time zone NOT NULL,
	"source_read_started_at" timestamp with time zone NOT NULL,
	"basis" text NOT NULL,
	"report" jsonb NOT NULL,
	CONSTRAINT "report_snapshots_kind_period_pk" PRIMARY KEY("kind","period"),
	CONSTRAINT "report_snapshots_kind" CHECK ("report_snapshots"."kind" in ('daily', 'weekly', 'monthly')),
	CONSTRAINT "report_snapshots_status" CHECK ("report_snapshots"."status" in ('rolling', 'final'))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_kind";--> statement-breakpoint
ALTER TABLE "explore_entries" ADD COLUMN "score_components" jsonb;--> statement-breakpoint
ALTER TABLE "leaderboard_entries" ADD COLUMN "grade" text;--> statement-breakpoint
ALTER TABLE "leaderboard_entries" ADD COLUMN "score" double precision;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "mark_price" numeric GENERATED ALWAYS AS (case when best_bid is not null and best_ask is not null and best_ask >= best_bid and best_ask - best_bid <= 0.1
        then (best_bid + best_ask) / 2 else last_trade_price end) STORED;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "valued_price" numeric;--> statement-breakpoint
ALTER TABLE "positions" ADD COLUMN "value_micro" bigint;--> statement-breakpoint
ALTER TABLE "large_position_entries" ADD CONSTRAINT "large_position_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_figures" ADD CONSTRAINT "provider_figures_trader_id_traders_id_fk" FOREIGN KEY ("trader_id") REFERENCES "public"."traders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holder_scans_requested" ON "holder_scans" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "large_position_entries_key" ON "large_position_entries" USING btree ("generation","trader_id","market_id");--> statement-breakpoint
CREATE INDEX "provider_figures_due" ON "provider_figures" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "report_snapshots_rolling" ON "report_snapshots" USING btree ("end_on") WHERE status = 'rolling';--> statement-breakpoint
CREATE INDEX "markets_title_trigrams" ON "markets" USING gin (lower("title") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "outcomes_revalued" ON "outcomes" USING btree ("id") WHERE mark_price is distinct from valued_price;--> statement-breakpoint
CREATE INDEX "positions_outcome_held" ON "positions" USING btree ("outcome_id") WHERE settled_micro is null and shares_micro > 0;--> statement-breakpoint
CREATE INDEX "positions_value" ON "positions" USING btree ("value_micro","trader_id","outcome_id") WHERE settled_micro is null and value_micro >= 100000000;--> statement-breakpoint
CREATE INDEX "positions_trader_value" ON "positions" USING btree ("trader_id","value_micro","outcome_id") WHERE settled_micro is null and shares_micro > 0;--> statement-breakpoint
CREATE INDEX "traders_username_trigrams" ON "traders" USING gin (lower("username") gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_kind" CHECK ("ledger_entries"."kind" in ('buy', 'sell', 'split', 'merge', 'convert_in', 'convert_out'));