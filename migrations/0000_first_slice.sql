CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"plan" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_email_unique" UNIQUE("email"),
	CONSTRAINT "accounts_plan" CHECK ("accounts"."plan" in ('free', 'pro', 'max')),
	CONSTRAINT "accounts_state" CHECK ("accounts"."state" in ('active', 'lapsed', 'deleted', 'locked'))
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"key_hash" text NOT NULL,
	"prefix" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"epoch" integer NOT NULL,
	"commit_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "explore_entries" (
	"generation" bigint NOT NULL,
	"id" integer NOT NULL,
	"event_id" bigint,
	"market_ids" bigint[] NOT NULL,
	"representative_id" bigint NOT NULL,
	"category" text,
	"has_active" boolean NOT NULL,
	"has_closed" boolean NOT NULL,
	"volume_usd" numeric,
	"large_trade_count" integer NOT NULL,
	"trending_score" double precision NOT NULL,
	"discover_score" double precision NOT NULL,
	"end_at" timestamp with time zone,
	"created_at" timestamp with time zone,
	"search_text" text NOT NULL,
	CONSTRAINT "explore_entries_generation_id_pk" PRIMARY KEY("generation","id")
);
--> statement-breakpoint
CREATE TABLE "ingest_checkpoints" (
	"feed" text PRIMARY KEY NOT NULL,
	"state" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_heartbeats" (
	"job" text PRIMARY KEY NOT NULL,
	"succeeded_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "large_trades" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "large_trades_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"commit_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"entry_id" bigint NOT NULL,
	"trader_id" bigint NOT NULL,
	"market_id" bigint NOT NULL,
	"outcome_id" bigint NOT NULL,
	"side" text NOT NULL,
	"size_usd_micro" bigint NOT NULL,
	"shares_micro" bigint NOT NULL,
	"price" numeric NOT NULL,
	"traded_at" timestamp with time zone NOT NULL,
	"category" text,
	"review_score" double precision NOT NULL,
	"recorded_review_score" double precision,
	"suspicion_score" smallint,
	"suspicion_track" text,
	"grade_at_trade" text,
	"grade_at_trade_status" text NOT NULL,
	"market_volume_share" numeric,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "large_trades_entry_id_unique" UNIQUE("entry_id")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_entries" (
	"generation" bigint NOT NULL,
	"category" text NOT NULL,
	"rank" integer NOT NULL,
	"trader_id" bigint NOT NULL,
	"realized_micro" bigint NOT NULL,
	"volume_micro" bigint NOT NULL,
	"markets_traded" integer NOT NULL,
	"markets_won" integer NOT NULL,
	"markets_decided" integer NOT NULL,
	CONSTRAINT "leaderboard_entries_generation_category_rank_pk" PRIMARY KEY("generation","category","rank")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tx_hash" "bytea" NOT NULL,
	"trader_id" bigint NOT NULL,
	"outcome_id" bigint NOT NULL,
	"market_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"shares_micro" bigint NOT NULL,
	"ordinal" smallint NOT NULL,
	"usd_micro" bigint NOT NULL,
	"fee_micro" bigint,
	"price" numeric NOT NULL,
	"role" text,
	"traded_at" timestamp with time zone NOT NULL,
	"realized_micro" bigint,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_entries_kind" CHECK ("ledger_entries"."kind" in ('buy', 'sell', 'split', 'merge'))
);
--> statement-breakpoint
CREATE TABLE "list_generations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "list_generations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"list" text NOT NULL,
	"built_at" timestamp with time zone NOT NULL,
	"row_count" integer NOT NULL,
	"detail" jsonb DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "markets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "markets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"condition_id" text NOT NULL,
	"provider_market_id" text,
	"event_id" bigint,
	"title" text,
	"slug" text,
	"description" text,
	"image" text,
	"icon" text,
	"category" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"protocol_version" text,
	"neg_risk" boolean,
	"market_type" text,
	"game_id" text,
	"series_slug" text,
	"closed" boolean DEFAULT false NOT NULL,
	"provider_created_at" timestamp with time zone,
	"start_at" timestamp with time zone,
	"end_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"game_start_at" timestamp with time zone,
	"volume_usd" numeric,
	"volume_24h_usd" numeric,
	"liquidity_usd" numeric,
	"figures_as_of" timestamp with time zone,
	"resolution_status" text,
	"payouts_ppm" integer[],
	"resolved_at" timestamp with time zone,
	"resolution_checked_at" timestamp with time zone,
	"resolution_enqueued_at" timestamp with time zone,
	"hydrated_at" timestamp with time zone,
	"hydrate_enqueued_at" timestamp with time zone,
	"hydrate_attempts" smallint DEFAULT 0 NOT NULL,
	"large_trade_count" integer DEFAULT 0 NOT NULL,
	"large_trade_usd_micro" bigint DEFAULT 0 NOT NULL,
	"large_trade_last_at" timestamp with time zone,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', coalesce(title, '') || ' ' || coalesce(slug, ''))) STORED,
	CONSTRAINT "markets_condition_id_unique" UNIQUE("condition_id")
);
--> statement-breakpoint
CREATE TABLE "outbox_epoch" (
	"epoch" integer PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outcomes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outcomes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"market_id" bigint NOT NULL,
	"token_id" text NOT NULL,
	"outcome_index" smallint,
	"label" text,
	"price" numeric,
	"last_trade_price" numeric,
	"best_bid" numeric,
	"best_ask" numeric,
	"bid_depth_usd" numeric,
	"ask_depth_usd" numeric,
	"book_source" text,
	"book_as_of" timestamp with time zone,
	CONSTRAINT "outcomes_token_id_unique" UNIQUE("token_id")
);
--> statement-breakpoint
CREATE TABLE "positions" (
	"trader_id" bigint NOT NULL,
	"outcome_id" bigint NOT NULL,
	"market_id" bigint NOT NULL,
	"shares_micro" bigint NOT NULL,
	"cost_micro" bigint NOT NULL,
	"realized_micro" bigint NOT NULL,
	"settled_micro" bigint,
	"bought_shares_micro" bigint NOT NULL,
	"bought_usd_micro" bigint NOT NULL,
	"sold_shares_micro" bigint NOT NULL,
	"sold_usd_micro" bigint NOT NULL,
	"fees_micro" bigint NOT NULL,
	"unmatched_shares_micro" bigint NOT NULL,
	"entry_count" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "positions_trader_id_outcome_id_pk" PRIMARY KEY("trader_id","outcome_id")
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "provider_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider_event_id" text,
	"slug" text NOT NULL,
	"title" text,
	"image" text,
	"series_slug" text,
	"category" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"start_at" timestamp with time zone,
	"end_at" timestamp with time zone,
	"hydrated_at" timestamp with time zone,
	CONSTRAINT "provider_events_provider_event_id_unique" UNIQUE("provider_event_id"),
	CONSTRAINT "provider_events_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "set_aside_records" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "set_aside_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"feed" text NOT NULL,
	"reason" text NOT NULL,
	"digest" text NOT NULL,
	"record" jsonb NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "set_aside_records_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "trader_totals" (
	"trader_id" bigint PRIMARY KEY NOT NULL,
	"realized_micro" bigint NOT NULL,
	"settled_micro" bigint NOT NULL,
	"volume_micro" bigint NOT NULL,
	"fees_micro" bigint NOT NULL,
	"rebates_micro" bigint DEFAULT 0 NOT NULL,
	"entry_count" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "traders" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "traders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"address" text NOT NULL,
	"username" text,
	"profile_image" text,
	"grade" text,
	"tier" text DEFAULT 'cold' NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "traders_address_unique" UNIQUE("address"),
	CONSTRAINT "traders_tier" CHECK ("traders"."tier" in ('hot', 'warm', 'cold')),
	CONSTRAINT "traders_grade" CHECK ("traders"."grade" in ('S', 'A', 'B', 'C', 'D', 'F'))
);
--> statement-breakpoint
CREATE TABLE "trending_entries" (
	"generation" bigint NOT NULL,
	"rank" integer NOT NULL,
	"trader_id" bigint NOT NULL,
	"provider_pnl" numeric NOT NULL,
	"provider_volume_shares" numeric,
	"window_volume_micro" bigint,
	"window_markets_traded" integer NOT NULL,
	"window_trade_days" integer NOT NULL,
	"daily_pnl" jsonb NOT NULL,
	CONSTRAINT "trending_entries_generation_rank_pk" PRIMARY KEY("generation","rank")
);
--> statement-breakpoint
CREATE TABLE "wallet_activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wallet_activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tx_hash" "bytea" NOT NULL,
	"trader_id" bigint NOT NULL,
	"type" text NOT NULL,
	"condition_id" text NOT NULL,
	"token_id" text NOT NULL,
	"shares_micro" bigint NOT NULL,
	"ordinal" smallint NOT NULL,
	"usd_micro" bigint NOT NULL,
	"happened_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_syncs" (
	"trader_id" bigint PRIMARY KEY NOT NULL,
	"resume" jsonb,
	"covered_to" timestamp with time zone,
	"complete_at" timestamp with time zone,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"enqueued_at" timestamp with time zone,
	"gaps" text[] DEFAULT '{}' NOT NULL,
	"last_error" text
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "explore_entries" ADD CONSTRAINT "explore_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "large_trades" ADD CONSTRAINT "large_trades_entry_id_ledger_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaderboard_entries" ADD CONSTRAINT "leaderboard_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "markets" ADD CONSTRAINT "markets_event_id_provider_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."provider_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_market_id_markets_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."markets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trending_entries" ADD CONSTRAINT "trending_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_syncs" ADD CONSTRAINT "wallet_syncs_trader_id_traders_id_fk" FOREIGN KEY ("trader_id") REFERENCES "public"."traders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_commit" ON "events" USING btree ("commit_xid","id");--> statement-breakpoint
CREATE INDEX "explore_entries_trending" ON "explore_entries" USING btree ("generation","trending_score" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "explore_entries_volume" ON "explore_entries" USING btree ("generation","volume_usd" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "large_trades_recent" ON "large_trades" USING btree ("traded_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "large_trades_commit" ON "large_trades" USING btree ("commit_xid","id");--> statement-breakpoint
CREATE INDEX "large_trades_category" ON "large_trades" USING btree (lower("category"),"traded_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "large_trades_trader" ON "large_trades" USING btree ("trader_id","traded_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "large_trades_market" ON "large_trades" USING btree ("market_id","traded_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_identity" ON "ledger_entries" USING btree ("tx_hash","trader_id","outcome_id","kind","shares_micro","ordinal");--> statement-breakpoint
CREATE INDEX "ledger_entries_position" ON "ledger_entries" USING btree ("trader_id","outcome_id","traded_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_market" ON "ledger_entries" USING btree ("market_id","traded_at");--> statement-breakpoint
CREATE INDEX "list_generations_newest" ON "list_generations" USING btree ("list","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "markets_event" ON "markets" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "markets_search" ON "markets" USING gin ("search");--> statement-breakpoint
CREATE INDEX "markets_category_volume" ON "markets" USING btree ("category","volume_usd" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "markets_unhydrated" ON "markets" USING btree ("id") WHERE hydrated_at is null;--> statement-breakpoint
CREATE INDEX "markets_unresolved" ON "markets" USING btree ("resolution_checked_at") WHERE payouts_ppm is null;--> statement-breakpoint
CREATE UNIQUE INDEX "outcomes_market_index" ON "outcomes" USING btree ("market_id","outcome_index");--> statement-breakpoint
CREATE INDEX "positions_market" ON "positions" USING btree ("market_id","trader_id");--> statement-breakpoint
CREATE INDEX "traders_username" ON "traders" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_activity_identity" ON "wallet_activity" USING btree ("tx_hash","trader_id","type","condition_id","token_id","shares_micro","ordinal");--> statement-breakpoint
CREATE INDEX "wallet_activity_trader" ON "wallet_activity" USING btree ("trader_id","happened_at");--> statement-breakpoint
CREATE INDEX "wallet_syncs_due" ON "wallet_syncs" USING btree ("due_at");