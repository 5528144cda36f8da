-- Titles and names are searched by their trigrams.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"plan" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"pay_as_you_go" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_email_unique" UNIQUE("email"),
	CONSTRAINT "accounts_plan" CHECK ("accounts"."plan" in ('free', 'pro', 'max')),
	CONSTRAINT "accounts_state" CHECK ("accounts"."state" in ('active', 'lapsed', 'deleted', 'locked'))
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"integration_id" bigint,
	"name" text,
	"key_hash" text NOT NULL,
	"prefix" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"account_id" bigint NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"body" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_records_account_id_operation_key_pk" PRIMARY KEY("account_id","operation","key")
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "integrations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"lifetime_days" smallint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	"overlap_ends_at" timestamp with time zone,
	CONSTRAINT "integrations_lifetime" CHECK ("integrations"."lifetime_days" between 1 and 90)
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"account_id" bigint NOT NULL,
	"key_id" bigint NOT NULL,
	"day" date NOT NULL,
	"operation" text NOT NULL,
	"requests" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "usage_days_account_id_day_key_id_operation_pk" PRIMARY KEY("account_id","day","key_id","operation")
);
--> statement-breakpoint
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
CREATE TABLE "combo_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "combo_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider_id" text NOT NULL,
	"market_id" bigint NOT NULL,
	"trader_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"outcome_index" smallint,
	"amount_micro" bigint,
	"payout_micro" bigint,
	"shares_micro" bigint,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"happened_at" timestamp with time zone NOT NULL,
	CONSTRAINT "combo_events_provider_id_unique" UNIQUE("provider_id")
);
--> statement-breakpoint
CREATE TABLE "combo_fills" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"market_id" bigint NOT NULL,
	"traded_at" timestamp with time zone NOT NULL,
	"is_buy" boolean NOT NULL,
	"shares_micro" bigint NOT NULL,
	"usd_micro" bigint NOT NULL,
	"is_listed" boolean GENERATED ALWAYS AS (shares_micro > 0 and (usd_micro::numeric * 100 <= shares_micro::numeric * 95
        or usd_micro::numeric * 20000 < shares_micro::numeric * 19001
          and usd_micro::numeric * 10000 <= shares_micro::numeric * 9500 + 10000
        or usd_micro::numeric * 2000000 < shares_micro::numeric * 1900001)) STORED
);
--> statement-breakpoint
CREATE TABLE "combo_legs" (
	"market_id" bigint NOT NULL,
	"leg_index" smallint NOT NULL,
	"position_id" numeric NOT NULL,
	"module_id" smallint NOT NULL,
	"outcome_index" smallint NOT NULL,
	"provider_condition_id" text NOT NULL,
	"leg_market_id" bigint,
	"state" text NOT NULL,
	"payout_ppm" integer,
	"provider_status" text,
	"provider_resolved_at" timestamp with time zone,
	"provider_price" numeric,
	"provider_market" jsonb NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "combo_legs_market_id_leg_index_pk" PRIMARY KEY("market_id","leg_index"),
	CONSTRAINT "combo_legs_state" CHECK ("combo_legs"."state" in ('pending', 'won', 'lost', 'void', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "combos" (
	"market_id" bigint PRIMARY KEY NOT NULL,
	"leg_count" smallint,
	"legs_known_at" timestamp with time zone,
	"status" text DEFAULT 'unknown' NOT NULL,
	"status_reason" text,
	"read_due_at" timestamp with time zone,
	"read_attempts" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "combos_status" CHECK ("combos"."status" in ('pending', 'won', 'lost', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "edge_entries" (
	"generation" bigint NOT NULL,
	"cohort" text NOT NULL,
	"rank" integer NOT NULL,
	"condition_id" text NOT NULL,
	"sport" text NOT NULL,
	"kickoff_at" timestamp with time zone NOT NULL,
	"top_grade" text NOT NULL,
	"is_emerging" boolean NOT NULL,
	"pile" jsonb NOT NULL,
	CONSTRAINT "edge_entries_generation_cohort_rank_pk" PRIMARY KEY("generation","cohort","rank")
);
--> statement-breakpoint
CREATE TABLE "export_jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "export_jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"account_id" bigint NOT NULL,
	"trader_id" bigint,
	"format" text NOT NULL,
	"request" jsonb NOT NULL,
	"request_key" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"ready_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"expired_at" timestamp with time zone,
	"cancel_requested_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"data_as_of" timestamp with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"max_attempts" integer NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp with time zone,
	"due_at" timestamp with time zone NOT NULL,
	"generation_id" uuid,
	"epoch" integer,
	"horizon_xid" "xid8",
	"total_trades" bigint,
	"processed_trades" bigint,
	"progress" jsonb,
	"object_key" text,
	"file_size" bigint,
	"result" jsonb,
	"error" text,
	CONSTRAINT "export_jobs_kind" CHECK ("export_jobs"."kind" in ('whale_dataset', 'trader_export')),
	CONSTRAINT "export_jobs_state" CHECK ("export_jobs"."state" in ('queued', 'running', 'cancel_requested', 'reconcile_required', 'ready', 'failed', 'expired', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "games" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "games_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider_game_id" text NOT NULL,
	"event_id" bigint,
	"event_slug" text,
	"event_closed" boolean DEFAULT false NOT NULL,
	"title" text,
	"sport" text,
	"league" text,
	"scheduled_at" timestamp with time zone,
	"competitors" jsonb NOT NULL,
	"series_format" text,
	"state" text DEFAULT 'unknown' NOT NULL,
	"provider_status" text,
	"score" text,
	"period" text,
	"clock" text,
	"live" boolean,
	"ended" boolean,
	"finished_at" timestamp with time zone,
	"observed_at" timestamp with time zone NOT NULL,
	"scores_observed_at" timestamp with time zone,
	"scores_source_at" timestamp with time zone,
	"scores_from" text,
	"score_first" smallint,
	"version" integer DEFAULT 0 NOT NULL,
	"pulse" jsonb,
	"pulsed_at" timestamp with time zone,
	"pulse_due_at" timestamp with time zone,
	CONSTRAINT "games_provider_game_id_unique" UNIQUE("provider_game_id"),
	CONSTRAINT "games_event_slug_unique" UNIQUE("event_slug")
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
CREATE TABLE "market_holders" (
	"market_id" bigint NOT NULL,
	"trader_id" bigint NOT NULL,
	"outcome_index" smallint NOT NULL,
	"shares_micro" bigint NOT NULL,
	CONSTRAINT "market_holders_market_id_trader_id_outcome_index_pk" PRIMARY KEY("market_id","trader_id","outcome_index")
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
	CONSTRAINT "ledger_entries_kind" CHECK ("ledger_entries"."kind" in ('buy', 'sell', 'split', 'merge', 'convert_in', 'convert_out'))
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
	"unmatched_usd_micro" bigint DEFAULT 0 NOT NULL,
	"entry_count" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"value_micro" bigint,
	CONSTRAINT "positions_trader_id_outcome_id_pk" PRIMARY KEY("trader_id","outcome_id")
);
--> statement-breakpoint
CREATE TABLE "trader_activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "trader_activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
CREATE TABLE "trader_days" (
	"trader_id" bigint NOT NULL,
	"day" date NOT NULL,
	"realized_micro" bigint NOT NULL,
	"settled_micro" bigint NOT NULL,
	"fees_micro" bigint NOT NULL,
	"rebates_micro" bigint NOT NULL,
	"rewards_micro" bigint NOT NULL,
	"volume_micro" bigint NOT NULL,
	"entry_count" integer NOT NULL,
	CONSTRAINT "trader_days_trader_id_day_pk" PRIMARY KEY("trader_id","day")
);
--> statement-breakpoint
CREATE TABLE "trader_totals" (
	"trader_id" bigint PRIMARY KEY NOT NULL,
	"realized_micro" bigint NOT NULL,
	"settled_micro" bigint NOT NULL,
	"volume_micro" bigint NOT NULL,
	"fees_micro" bigint NOT NULL,
	"rebates_micro" bigint DEFAULT 0 NOT NULL,
	"rewards_micro" bigint DEFAULT 0 NOT NULL,
	"entry_count" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone,
	"markets_traded" integer DEFAULT 0 NOT NULL,
	"markets_resolved" integer DEFAULT 0 NOT NULL,
	"markets_won" integer DEFAULT 0 NOT NULL,
	"markets_decided" integer DEFAULT 0 NOT NULL,
	"unmatched_positions" integer DEFAULT 0 NOT NULL,
	"unmatched_usd_micro" bigint DEFAULT 0 NOT NULL,
	"combination_markets" integer DEFAULT 0 NOT NULL,
	"combination_volume_micro" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "explore_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "explore_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entry_key" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "explore_due" (
	"entry_key" bigint PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "explore_entries" (
	"id" bigint NOT NULL,
	"added_in" bigint NOT NULL,
	"removed_in" bigint,
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
	"score_components" jsonb,
	"end_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone,
	"search_text" text NOT NULL,
	CONSTRAINT "explore_entries_id_added_in_pk" PRIMARY KEY("id","added_in")
);
--> statement-breakpoint
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
CREATE TABLE "graded_markets" (
	"market_id" bigint PRIMARY KEY NOT NULL,
	"wallets" integer NOT NULL,
	"yes_shares_micro" bigint NOT NULL,
	"no_shares_micro" bigint NOT NULL,
	"sharp_net_micro" bigint
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
CREATE TABLE "leaderboard_entries" (
	"generation" bigint NOT NULL,
	"category" text NOT NULL,
	"rank" integer NOT NULL,
	"trader_id" bigint NOT NULL,
	"grade" text,
	"score" double precision,
	"realized_micro" bigint NOT NULL,
	"volume_micro" bigint NOT NULL,
	"markets_traded" integer NOT NULL,
	"markets_won" integer NOT NULL,
	"markets_decided" integer NOT NULL,
	CONSTRAINT "leaderboard_entries_generation_category_rank_pk" PRIMARY KEY("generation","category","rank")
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
CREATE TABLE "position_snapshots" (
	"key_id" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"filters" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"rows" jsonb NOT NULL
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
	"settled_on" date,
	"resolution_checked_at" timestamp with time zone,
	"result_due_at" timestamp with time zone,
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
CREATE TABLE "outcomes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outcomes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"market_id" bigint NOT NULL,
	"token_id" text NOT NULL,
	"outcome_index" smallint,
	"label" text,
	"price" numeric,
	"last_trade_price" numeric,
	"last_trade_at" timestamp with time zone,
	"last_trade_tx" "bytea",
	"best_bid" numeric,
	"best_ask" numeric,
	"bid_depth_usd" numeric,
	"ask_depth_usd" numeric,
	"book_source" text,
	"book_as_of" timestamp with time zone,
	"mark_price" numeric GENERATED ALWAYS AS (case when best_bid is not null and best_ask is not null and best_ask >= best_bid
        and best_ask - best_bid <= 0.1
        then (best_bid + best_ask) / 2 else last_trade_price end) STORED,
	"valued_price" numeric,
	CONSTRAINT "outcomes_token_id_unique" UNIQUE("token_id")
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
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"epoch" integer NOT NULL,
	"commit_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"large_trade_id" bigint,
	"account_id" bigint
);
--> statement-breakpoint
CREATE TABLE "outbox_epoch" (
	"epoch" integer PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"pruned_xid" "xid8",
	"pruned_id" bigint
);
--> statement-breakpoint
CREATE TABLE "outbox_readers" (
	"name" text PRIMARY KEY NOT NULL,
	"epoch" integer NOT NULL,
	"commit_xid" "xid8" NOT NULL,
	"event_id" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pick_closes" (
	"pick_id" bigint PRIMARY KEY NOT NULL,
	"price" numeric(7, 6) NOT NULL,
	"observed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pick_commitments" (
	"pick_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	"kickoff" timestamp with time zone NOT NULL,
	"payload" text NOT NULL,
	"sealed_nonce" text NOT NULL,
	"nonce" text,
	"opened_at" timestamp with time zone,
	CONSTRAINT "pick_commitments_in_time" CHECK ("pick_commitments"."sealed_at" < "pick_commitments"."kickoff"),
	CONSTRAINT "pick_commitments_hash" CHECK ("pick_commitments"."hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "pick_commitments_opened" CHECK (("pick_commitments"."nonce" is null) = ("pick_commitments"."opened_at" is null))
);
--> statement-breakpoint
CREATE TABLE "pick_revisions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pick_revisions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"pick_id" bigint NOT NULL,
	"outcome" text,
	"payout_ppm" integer,
	"withdrawn_for" text,
	"recorded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pick_revisions_kind" CHECK (("pick_revisions"."outcome" is null) <> ("pick_revisions"."withdrawn_for" is null)),
	CONSTRAINT "pick_revisions_outcome" CHECK ("pick_revisions"."outcome" in ('win', 'loss', 'void')),
	CONSTRAINT "pick_revisions_payout" CHECK (("pick_revisions"."outcome" is null) = ("pick_revisions"."payout_ppm" is null))
);
--> statement-breakpoint
CREATE TABLE "picks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "picks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"pick_date" date NOT NULL,
	"rank" smallint NOT NULL,
	"is_free" boolean NOT NULL,
	"game_id" bigint NOT NULL,
	"market_id" bigint NOT NULL,
	"market_kind" text NOT NULL,
	"outcome_index" smallint NOT NULL,
	"outcome_label" text NOT NULL,
	"matchup" text NOT NULL,
	"category" text NOT NULL,
	"league" text,
	"kickoff" timestamp with time zone NOT NULL,
	"release_at" timestamp with time zone NOT NULL,
	"selected_at" timestamp with time zone NOT NULL,
	"backed_price" numeric(7, 6) NOT NULL,
	"backing" jsonb NOT NULL,
	"published_at" timestamp with time zone,
	CONSTRAINT "picks_market_id_unique" UNIQUE("market_id"),
	CONSTRAINT "picks_day" UNIQUE("pick_date","rank"),
	CONSTRAINT "picks_game" UNIQUE("game_id","market_kind","pick_date"),
	CONSTRAINT "picks_outcome" CHECK ("picks"."outcome_index" in (0, 1)),
	CONSTRAINT "picks_rank" CHECK ("picks"."rank" between 1 and 15),
	CONSTRAINT "picks_kickoff_seconds" CHECK ("picks"."kickoff" = date_trunc('second', "picks"."kickoff"))
);
--> statement-breakpoint
CREATE TABLE "record_clusters" (
	"kind" text NOT NULL,
	"month" text NOT NULL,
	"sample" text NOT NULL,
	"cluster" bigint NOT NULL,
	"claims" integer NOT NULL,
	"pending" integer NOT NULL,
	"late" integer NOT NULL,
	"unpriced" integer NOT NULL,
	"won" integer NOT NULL,
	"lost" integer NOT NULL,
	"voided" integer NOT NULL,
	"price_ppm" bigint NOT NULL,
	"return_micro" bigint NOT NULL,
	CONSTRAINT "record_clusters_kind_month_sample_cluster_pk" PRIMARY KEY("kind","month","sample","cluster"),
	CONSTRAINT "record_clusters_kind" CHECK ("record_clusters"."kind" in ('flag', 'grade', 'flow_alert', 'pick')),
	CONSTRAINT "record_clusters_sample" CHECK ("record_clusters"."sample" in ('claim', 'random'))
);
--> statement-breakpoint
CREATE TABLE "record_periods" (
	"kind" text NOT NULL,
	"period" text NOT NULL,
	"sample" text NOT NULL,
	"claims" integer NOT NULL,
	"pending" integer NOT NULL,
	"late" integer NOT NULL,
	"unpriced" integer NOT NULL,
	"won" integer NOT NULL,
	"lost" integer NOT NULL,
	"voided" integer NOT NULL,
	"price_ppm" bigint NOT NULL,
	"return_micro" bigint NOT NULL,
	"events" integer NOT NULL,
	"edge_squares" numeric NOT NULL,
	"edge_counts" numeric NOT NULL,
	"count_squares" numeric NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "record_periods_kind_period_sample_pk" PRIMARY KEY("kind","period","sample")
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
CREATE TABLE "flow_alerts" (
	"market_id" bigint NOT NULL,
	"window" text NOT NULL,
	"side" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "flow_alerts_market_id_window_pk" PRIMARY KEY("market_id","window"),
	CONSTRAINT "flow_alerts_side" CHECK ("flow_alerts"."side" in ('yes', 'no', 'none'))
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
	"judged_at" timestamp with time zone,
	"grade_at_trade" text,
	"grade_at_trade_status" text NOT NULL,
	"market_volume_share" numeric,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "large_trades_entry_id_unique" UNIQUE("entry_id")
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
CREATE TABLE "published_flow_alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "published_flow_alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"market_id" bigint NOT NULL,
	"window" text NOT NULL,
	"side" text NOT NULL,
	"price" numeric,
	"published_at" timestamp with time zone NOT NULL,
	CONSTRAINT "published_flow_alerts_side" CHECK ("published_flow_alerts"."side" in ('yes', 'no'))
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
CREATE TABLE "skill_due" (
	"market_id" bigint PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"trader_ids" bigint[]
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
	"dispersion" double precision NOT NULL,
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
CREATE TABLE "trader_syncs" (
	"trader_id" bigint PRIMARY KEY NOT NULL,
	"resume" jsonb,
	"covered_to" timestamp with time zone,
	"complete_at" timestamp with time zone,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"gaps" text[] DEFAULT '{}' NOT NULL,
	"last_error" text,
	"failed_at" timestamp with time zone,
	"combos_due_at" timestamp with time zone,
	"combos_read_at" timestamp with time zone,
	"combos_cursor" text,
	"combos_attempts" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "traders" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "traders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"address" text NOT NULL,
	"username" text,
	"profile_image" text,
	"grade" text,
	"score" double precision,
	"forecast_score" double precision,
	"forecast_evidence" double precision,
	"graded_at" timestamp with time zone,
	"tier" text DEFAULT 'cold' NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "traders_address_unique" UNIQUE("address"),
	CONSTRAINT "traders_tier" CHECK ("traders"."tier" in ('hot', 'warm', 'cold')),
	CONSTRAINT "traders_grade" CHECK ("traders"."grade" in ('S', 'A', 'B', 'C', 'D', 'F'))
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"endpoint_id" bigint NOT NULL,
	"event_id" text NOT NULL,
	"event_type" text NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"schedule_reason" text,
	"lease" text,
	"lease_until" timestamp with time zone,
	"last_response_status" smallint,
	"last_error" text,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('pending', 'processing', 'retry', 'delivered', 'dead_letter'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_endpoints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"url_key" text NOT NULL,
	"event_types" text[] NOT NULL,
	"trade_filters" jsonb NOT NULL,
	"status" text NOT NULL,
	"disabled_reason" text,
	"verified_at" timestamp with time zone,
	"verification_token_sealed" text NOT NULL,
	"verification_expires_at" timestamp with time zone NOT NULL,
	"secret_sealed" text NOT NULL,
	"staged_secret_sealed" text,
	"previous_secret_sealed" text,
	"overlap_expires_at" timestamp with time zone,
	"failure_count" integer DEFAULT 0 NOT NULL,
	"open_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "webhook_endpoints_status" CHECK ("webhook_endpoints"."status" in ('pending_verification', 'active', 'disabled'))
);
--> statement-breakpoint
CREATE TABLE "webhook_verification_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"endpoint_id" bigint NOT NULL,
	"state" text NOT NULL,
	"outcome" text,
	"attempt_count" smallint DEFAULT 0 NOT NULL,
	"lease" text,
	"lease_until" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"last_response_status" smallint,
	"started_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_verification_attempts_state" CHECK ("webhook_verification_attempts"."state" in ('queued', 'running', 'verified', 'failed', 'cancelled', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "work_leases" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"enqueued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "work_leases_kind_key_pk" PRIMARY KEY("kind","key")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"user_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" bigint NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"created_at" timestamp with time zone,
	"aaguid" text,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "sign_in_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"guesses" smallint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_mails" (
	"subject" text PRIMARY KEY NOT NULL,
	"sent" integer NOT NULL,
	"window_started_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_methods" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_account_id_unique" UNIQUE("account_id"),
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "combo_events" ADD CONSTRAINT "combo_events_market_id_combos_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."combos"("market_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "combo_legs" ADD CONSTRAINT "combo_legs_market_id_combos_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."combos"("market_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "combo_legs" ADD CONSTRAINT "combo_legs_leg_market_id_markets_id_fk" FOREIGN KEY ("leg_market_id") REFERENCES "public"."markets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "combos" ADD CONSTRAINT "combos_market_id_markets_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."markets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edge_entries" ADD CONSTRAINT "edge_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_jobs" ADD CONSTRAINT "export_jobs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "games" ADD CONSTRAINT "games_event_id_provider_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."provider_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_entries" ADD CONSTRAINT "flow_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "large_position_entries" ADD CONSTRAINT "large_position_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaderboard_entries" ADD CONSTRAINT "leaderboard_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trending_entries" ADD CONSTRAINT "trending_entries_generation_list_generations_id_fk" FOREIGN KEY ("generation") REFERENCES "public"."list_generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "markets" ADD CONSTRAINT "markets_event_id_provider_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."provider_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_market_id_markets_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."markets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pick_closes" ADD CONSTRAINT "pick_closes_pick_id_picks_id_fk" FOREIGN KEY ("pick_id") REFERENCES "public"."picks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pick_commitments" ADD CONSTRAINT "pick_commitments_pick_id_picks_id_fk" FOREIGN KEY ("pick_id") REFERENCES "public"."picks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pick_revisions" ADD CONSTRAINT "pick_revisions_pick_id_picks_id_fk" FOREIGN KEY ("pick_id") REFERENCES "public"."picks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "picks" ADD CONSTRAINT "picks_game_id_games_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "picks" ADD CONSTRAINT "picks_market_id_markets_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."markets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "large_trades" ADD CONSTRAINT "large_trades_entry_id_ledger_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspicious_trades" ADD CONSTRAINT "suspicious_trades_large_trade_id_large_trades_id_fk" FOREIGN KEY ("large_trade_id") REFERENCES "public"."large_trades"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trader_grades" ADD CONSTRAINT "trader_grades_population_id_skill_populations_id_fk" FOREIGN KEY ("population_id") REFERENCES "public"."skill_populations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_figures" ADD CONSTRAINT "provider_figures_trader_id_traders_id_fk" FOREIGN KEY ("trader_id") REFERENCES "public"."traders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trader_syncs" ADD CONSTRAINT "trader_syncs_trader_id_traders_id_fk" FOREIGN KEY ("trader_id") REFERENCES "public"."traders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_verification_attempts" ADD CONSTRAINT "webhook_verification_attempts_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_methods" ADD CONSTRAINT "sign_in_methods_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_integration" ON "api_keys" USING btree ("integration_id","id") WHERE "api_keys"."integration_id" is not null;--> statement-breakpoint
CREATE INDEX "idempotency_records_expires" ON "idempotency_records" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_live_name" ON "integrations" USING btree ("account_id","name") WHERE "integrations"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "integrations_account" ON "integrations" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "market_resolutions_recorded" ON "market_resolutions" USING btree ("recorded_at","id");--> statement-breakpoint
CREATE INDEX "combo_events_market" ON "combo_events" USING btree ("market_id","happened_at");--> statement-breakpoint
CREATE INDEX "combo_events_trader" ON "combo_events" USING btree ("trader_id","happened_at");--> statement-breakpoint
CREATE INDEX "combo_fills_recent" ON "combo_fills" USING btree ("traded_at","entry_id") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "combo_fills_largest" ON "combo_fills" USING btree ("usd_micro","entry_id") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "combo_fills_payout" ON "combo_fills" USING btree ("shares_micro","entry_id") WHERE is_listed and is_buy;--> statement-breakpoint
CREATE INDEX "combo_fills_market" ON "combo_fills" USING btree ("market_id","traded_at","entry_id");--> statement-breakpoint
CREATE INDEX "combo_legs_market" ON "combo_legs" USING btree ("leg_market_id");--> statement-breakpoint
CREATE INDEX "combo_legs_position" ON "combo_legs" USING btree ("position_id");--> statement-breakpoint
CREATE INDEX "combos_read_due" ON "combos" USING btree ("read_due_at") WHERE read_due_at is not null;--> statement-breakpoint
CREATE INDEX "combos_undecided" ON "combos" USING btree ("status","market_id") WHERE status in ('pending', 'unknown');--> statement-breakpoint
CREATE INDEX "export_jobs_account" ON "export_jobs" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "export_jobs_due" ON "export_jobs" USING btree ("due_at") WHERE state in ('queued', 'running', 'cancel_requested', 'reconcile_required');--> statement-breakpoint
CREATE INDEX "export_jobs_ready" ON "export_jobs" USING btree ("expires_at") WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX "export_jobs_ended" ON "export_jobs" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "games_schedule" ON "games" USING btree ("scheduled_at","event_slug");--> statement-breakpoint
CREATE INDEX "games_event" ON "games" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "games_unscheduled" ON "games" USING btree ("event_slug") WHERE scheduled_at is null;--> statement-breakpoint
CREATE INDEX "games_live" ON "games" USING btree ("id") WHERE live;--> statement-breakpoint
CREATE INDEX "games_pulse_due" ON "games" USING btree ("pulse_due_at") WHERE pulse_due_at is not null;--> statement-breakpoint
CREATE INDEX "holder_scans_requested" ON "holder_scans" USING btree ("requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_identity" ON "ledger_entries" USING btree ("tx_hash","trader_id","outcome_id","kind","shares_micro","ordinal");--> statement-breakpoint
CREATE INDEX "ledger_entries_position" ON "ledger_entries" USING btree ("trader_id","outcome_id","traded_at","market_id","kind");--> statement-breakpoint
CREATE INDEX "ledger_entries_market" ON "ledger_entries" USING btree ("market_id","traded_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_recorded" ON "ledger_entries" USING btree ("recorded_at","id");--> statement-breakpoint
CREATE INDEX "positions_market" ON "positions" USING btree ("market_id","trader_id");--> statement-breakpoint
CREATE INDEX "positions_outcome_held" ON "positions" USING btree ("outcome_id","value_micro") WHERE settled_micro is null and shares_micro > 0;--> statement-breakpoint
CREATE INDEX "positions_value" ON "positions" USING btree ("value_micro","trader_id","outcome_id") WHERE settled_micro is null and value_micro >= 99995000;--> statement-breakpoint
CREATE INDEX "positions_trader_value" ON "positions" USING btree ("trader_id","value_micro","outcome_id","cost_micro","market_id","shares_micro","realized_micro","fees_micro") WHERE settled_micro is null and shares_micro > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "trader_activity_identity" ON "trader_activity" USING btree ("tx_hash","trader_id","type","condition_id","token_id","shares_micro","ordinal");--> statement-breakpoint
CREATE INDEX "trader_activity_trader" ON "trader_activity" USING btree ("trader_id","happened_at");--> statement-breakpoint
CREATE INDEX "explore_due_at" ON "explore_due" USING btree ("due_at","entry_key");--> statement-breakpoint
CREATE INDEX "explore_entries_category" ON "explore_entries" USING btree (lower("category"));--> statement-breakpoint
CREATE INDEX "explore_entries_trending" ON "explore_entries" USING btree ("trending_score" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "explore_entries_volume" ON "explore_entries" USING btree ("volume_usd" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "explore_entries_hot" ON "explore_entries" USING btree ("discover_score" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "explore_entries_large_trades" ON "explore_entries" USING btree ("large_trade_count" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "explore_entries_expiring" ON "explore_entries" USING btree ("expires_at","id");--> statement-breakpoint
CREATE INDEX "explore_entries_newest" ON "explore_entries" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "explore_entries_removed" ON "explore_entries" USING btree ("removed_in") WHERE removed_in is not null;--> statement-breakpoint
CREATE INDEX "large_position_entries_key" ON "large_position_entries" USING btree ("generation","trader_id","market_id");--> statement-breakpoint
CREATE INDEX "leaderboard_entries_wallet" ON "leaderboard_entries" USING btree ("generation","trader_id","category");--> statement-breakpoint
CREATE INDEX "list_generations_newest" ON "list_generations" USING btree ("list","id");--> statement-breakpoint
CREATE INDEX "markets_event" ON "markets" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "markets_search" ON "markets" USING gin ("search");--> statement-breakpoint
CREATE INDEX "markets_title_trigrams" ON "markets" USING gin (lower("title") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "markets_category_volume" ON "markets" USING btree (lower("category"),coalesce(volume_usd, -1) desc,"id");--> statement-breakpoint
CREATE INDEX "markets_volume" ON "markets" USING btree (coalesce(volume_usd, -1) desc,"id");--> statement-breakpoint
CREATE INDEX "markets_title_start" ON "markets" USING btree (left(lower("title"), 200));--> statement-breakpoint
CREATE INDEX "markets_unhydrated" ON "markets" USING btree ("id") WHERE hydrated_at is null;--> statement-breakpoint
CREATE INDEX "markets_result_due" ON "markets" USING btree ("result_due_at") WHERE payouts_ppm is null and result_due_at is not null;--> statement-breakpoint
CREATE INDEX "markets_reversal_due" ON "markets" USING btree ("result_due_at") WHERE payouts_ppm is not null and result_due_at is not null;--> statement-breakpoint
CREATE INDEX "markets_game" ON "markets" USING btree ("game_id") WHERE game_id is not null;--> statement-breakpoint
CREATE INDEX "markets_settled" ON "markets" USING btree ("settled_on") WHERE payouts_ppm is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "outcomes_market_index" ON "outcomes" USING btree ("market_id","outcome_index");--> statement-breakpoint
CREATE INDEX "outcomes_revalued" ON "outcomes" USING btree ("id") WHERE mark_price is distinct from valued_price;--> statement-breakpoint
CREATE INDEX "events_commit" ON "events" USING btree ("commit_xid","id");--> statement-breakpoint
CREATE INDEX "events_large_trades" ON "events" USING btree ("commit_xid","id") WHERE large_trade_id is not null;--> statement-breakpoint
CREATE INDEX "pick_revisions_pick" ON "pick_revisions" USING btree ("pick_id","id");--> statement-breakpoint
CREATE INDEX "picks_unpublished" ON "picks" USING btree ("release_at") WHERE published_at is null;--> statement-breakpoint
CREATE INDEX "picks_kickoff" ON "picks" USING btree ("kickoff");--> statement-breakpoint
CREATE INDEX "report_snapshots_rolling" ON "report_snapshots" USING btree ("end_on") WHERE status = 'rolling';--> statement-breakpoint
CREATE INDEX "large_trades_recent" ON "large_trades" USING btree ("traded_at","id");--> statement-breakpoint
CREATE INDEX "large_trades_commit" ON "large_trades" USING btree ("commit_xid","id");--> statement-breakpoint
CREATE INDEX "large_trades_unjudged" ON "large_trades" USING btree ("traded_at") WHERE judged_at is null;--> statement-breakpoint
CREATE INDEX "large_trades_share" ON "large_trades" USING btree ("market_volume_share","traded_at","id") WHERE market_volume_share is not null;--> statement-breakpoint
CREATE INDEX "large_trades_suspicious" ON "large_trades" USING btree ("traded_at","id") WHERE suspicion_score >= 60;--> statement-breakpoint
CREATE INDEX "large_trades_category" ON "large_trades" USING btree (lower("category"),"traded_at","id");--> statement-breakpoint
CREATE INDEX "large_trades_trader" ON "large_trades" USING btree ("trader_id","traded_at","id");--> statement-breakpoint
CREATE INDEX "large_trades_recorded" ON "large_trades" USING btree ("recorded_at","id");--> statement-breakpoint
CREATE INDEX "large_trades_market" ON "large_trades" USING btree ("market_id","traded_at","id","trader_id");--> statement-breakpoint
CREATE INDEX "outcome_days_close" ON "outcome_days" USING btree ("outcome_id","day","close");--> statement-breakpoint
CREATE INDEX "published_flow_alerts_time" ON "published_flow_alerts" USING btree ("published_at");--> statement-breakpoint
CREATE INDEX "suspicious_trades_recent" ON "suspicious_trades" USING btree ("traded_at","id");--> statement-breakpoint
CREATE INDEX "suspicious_trades_score" ON "suspicious_trades" USING btree ("score","id");--> statement-breakpoint
CREATE INDEX "suspicious_trades_trader" ON "suspicious_trades" USING btree ("trader_id","traded_at","id");--> statement-breakpoint
CREATE INDEX "suspicious_trades_market" ON "suspicious_trades" USING btree ("market_id","traded_at","id");--> statement-breakpoint
CREATE INDEX "skill_markets_cluster" ON "skill_markets" USING btree ("trader_id","cluster");--> statement-breakpoint
CREATE INDEX "trader_grades_at" ON "trader_grades" USING btree ("trader_id","valid_from","id");--> statement-breakpoint
CREATE INDEX "trader_grades_published" ON "trader_grades" USING btree ("published_at","id");--> statement-breakpoint
CREATE INDEX "trader_skill_due" ON "trader_skill" USING btree ("trader_id") WHERE is_due;--> statement-breakpoint
CREATE INDEX "provider_figures_due" ON "provider_figures" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "trader_profiles_computed" ON "trader_profiles" USING btree ("computed_at");--> statement-breakpoint
CREATE INDEX "trader_syncs_due" ON "trader_syncs" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "trader_syncs_combos_due" ON "trader_syncs" USING btree ("combos_due_at") WHERE combos_due_at is not null;--> statement-breakpoint
CREATE INDEX "traders_username" ON "traders" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "traders_graded" ON "traders" USING btree ("grade","id") WHERE grade is not null;--> statement-breakpoint
CREATE INDEX "traders_username_trigrams" ON "traders" USING gin (lower("username") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("endpoint_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at") WHERE status in ('pending', 'retry');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_overdue" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE status in ('pending', 'retry');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_processing" ON "webhook_deliveries" USING btree ("endpoint_id","lease_until") WHERE status = 'processing';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_url" ON "webhook_endpoints" USING btree ("account_id","url_key") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_active" ON "webhook_endpoints" USING btree ("id") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "webhook_verification_attempts_endpoint" ON "webhook_verification_attempts" USING btree ("endpoint_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_verification_attempts_due" ON "webhook_verification_attempts" USING btree ("next_attempt_at") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "webhook_verification_attempts_running" ON "webhook_verification_attempts" USING btree ("lease_until") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_codes_expires" ON "sign_in_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_mails_window" ON "sign_in_mails" USING btree ("window_started_at");--> statement-breakpoint
CREATE INDEX "sign_in_methods_user" ON "sign_in_methods" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
-- From here on: what the TypeScript schema cannot express.
-- Lists by value use index-only scans, which need pages that vacuum has visited since their last change.
ALTER TABLE "positions" SET (autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
-- Price lines use index-only scans too; the last days are in the newest pages.
ALTER TABLE "outcome_days" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
--> statement-breakpoint
-- The first outbox epoch. A restore or a failover adds the next.
INSERT INTO outbox_epoch (epoch) VALUES (1);
--> statement-breakpoint
-- The key of the exploration entry of a market: the entry of its event, or its own.
CREATE FUNCTION "explore_key"(market_id bigint, event_id bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(event_id * 2, market_id * 2 + 1);
--> statement-breakpoint
CREATE FUNCTION "note_explore_market"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO explore_changes (entry_key) VALUES (explore_key(new.id, new.event_id));
  IF tg_op = 'UPDATE' AND old.event_id IS DISTINCT FROM new.event_id THEN
    INSERT INTO explore_changes (entry_key) VALUES (explore_key(old.id, old.event_id));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "note_explore_outcome"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO explore_changes (entry_key) SELECT explore_key(m.id, m.event_id) FROM markets m WHERE m.id = new.market_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "note_explore_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO explore_changes (entry_key) VALUES (new.id * 2);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "markets_explore_added" AFTER INSERT ON "markets" FOR EACH ROW WHEN (new.title <> '') EXECUTE FUNCTION note_explore_market();
--> statement-breakpoint
CREATE TRIGGER "markets_explore_changed" AFTER UPDATE ON "markets" FOR EACH ROW WHEN (
  (old.title, old.category, old.event_id, old.condition_id, old.closed, old.payouts_ppm, old.end_at, old.provider_created_at, old.volume_usd,
    old.volume_24h_usd, old.liquidity_usd, old.large_trade_count, old.large_trade_last_at)
  IS DISTINCT FROM
  (new.title, new.category, new.event_id, new.condition_id, new.closed, new.payouts_ppm, new.end_at, new.provider_created_at, new.volume_usd,
    new.volume_24h_usd, new.liquidity_usd, new.large_trade_count, new.large_trade_last_at)
) EXECUTE FUNCTION note_explore_market();
--> statement-breakpoint
-- Exploration depends on whether a price exists, not on its value.
CREATE TRIGGER "outcomes_explore_added" AFTER INSERT ON "outcomes" FOR EACH ROW
WHEN (new.outcome_index = 0 AND (new.mark_price IS NOT NULL OR new.last_trade_price IS NOT NULL)) EXECUTE FUNCTION note_explore_outcome();
--> statement-breakpoint
CREATE TRIGGER "outcomes_explore_changed" AFTER UPDATE ON "outcomes" FOR EACH ROW WHEN (
  (old.outcome_index = 0) IS DISTINCT FROM (new.outcome_index = 0)
  OR new.outcome_index = 0 AND ((old.mark_price IS NULL) <> (new.mark_price IS NULL)
    OR (old.last_trade_price IS NULL) <> (new.last_trade_price IS NULL))
) EXECUTE FUNCTION note_explore_outcome();
--> statement-breakpoint
CREATE TRIGGER "provider_events_explore_changed" AFTER UPDATE ON "provider_events" FOR EACH ROW
WHEN ((old.title, old.category) IS DISTINCT FROM (new.title, new.category)) EXECUTE FUNCTION note_explore_event();
--> statement-breakpoint
-- A published pick is a statement to clients: nothing of it changes, and no row disappears.
CREATE FUNCTION "keep_published_pick"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a published pick is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER "picks_frozen" BEFORE UPDATE OR DELETE ON "picks" FOR EACH ROW
WHEN (old.published_at IS NOT NULL) EXECUTE FUNCTION keep_published_pick();
--> statement-breakpoint
CREATE TRIGGER "pick_revisions_append_only" BEFORE UPDATE OR DELETE ON "pick_revisions" FOR EACH ROW
EXECUTE FUNCTION keep_published_pick();
--> statement-breakpoint
CREATE TRIGGER "pick_commitments_kept" BEFORE DELETE ON "pick_commitments" FOR EACH ROW
EXECUTE FUNCTION keep_published_pick();
--> statement-breakpoint
-- The only change of a commitment is its opening.
CREATE TRIGGER "pick_commitments_frozen" BEFORE UPDATE ON "pick_commitments" FOR EACH ROW
WHEN (old.nonce IS NOT NULL
  OR (old.pick_id, old.hash, old.sealed_at, old.kickoff, old.payload, old.sealed_nonce)
    IS DISTINCT FROM (new.pick_id, new.hash, new.sealed_at, new.kickoff, new.payload, new.sealed_nonce))
EXECUTE FUNCTION keep_published_pick();--> statement-breakpoint
CREATE FUNCTION "note_combo_fills"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO combo_fills (entry_id, market_id, traded_at, is_buy, shares_micro, usd_micro)
  SELECT e.id, e.market_id, date_trunc('second', e.traded_at), e.kind = 'buy', e.shares_micro, e.usd_micro
  FROM added e JOIN markets m ON m.id = e.market_id
  WHERE e.kind IN ('buy', 'sell') AND length(m.condition_id) = 64 AND m.condition_id LIKE '0x03%'
  ON CONFLICT (entry_id) DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_combo_fills" AFTER INSERT ON "ledger_entries" REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION note_combo_fills();--> statement-breakpoint
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
