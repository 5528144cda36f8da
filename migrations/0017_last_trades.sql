ALTER TABLE "outcomes" ADD COLUMN "last_trade_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "last_trade_tx" "bytea";