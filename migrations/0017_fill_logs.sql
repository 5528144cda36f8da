CREATE TABLE "fill_logs" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"block_number" integer NOT NULL,
	"log_index" integer NOT NULL,
	"orders_matched_log_index" integer,
	"exchange" smallint,
	CONSTRAINT "fill_logs_exchange" CHECK (("fill_logs"."exchange" is null) = ("fill_logs"."orders_matched_log_index" is null))
);
--> statement-breakpoint
ALTER TABLE "chain_pending_fills" ADD COLUMN "orders_matched_log_index" integer;--> statement-breakpoint
ALTER TABLE "chain_pending_fills" ADD COLUMN "exchange" smallint;--> statement-breakpoint
CREATE INDEX "fill_logs_combos" ON "fill_logs" USING btree ("block_number","log_index") WHERE exchange = 4;