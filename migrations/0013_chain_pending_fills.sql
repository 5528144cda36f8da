CREATE TABLE "chain_pending_fills" (
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"tx_hash" "bytea" NOT NULL,
	"token_id" text NOT NULL,
	"address" text NOT NULL,
	"is_taker" boolean NOT NULL,
	"side" text NOT NULL,
	"shares_micro" bigint NOT NULL,
	"usd_micro" bigint NOT NULL,
	"fee_micro" bigint,
	"traded_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chain_pending_fills_block_number_log_index_pk" PRIMARY KEY("block_number","log_index"),
	CONSTRAINT "chain_pending_fills_side" CHECK ("chain_pending_fills"."side" in ('BUY', 'SELL'))
);
