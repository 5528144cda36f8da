CREATE TABLE "outbox_readers" (
	"name" text PRIMARY KEY NOT NULL,
	"epoch" integer NOT NULL,
	"commit_xid" "xid8" NOT NULL,
	"event_id" bigint NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
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
ALTER TABLE "events" ADD COLUMN "large_trade_id" bigint;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "account_id" bigint;--> statement-breakpoint
ALTER TABLE "outbox_epoch" ADD COLUMN "pruned_xid" "xid8";--> statement-breakpoint
ALTER TABLE "outbox_epoch" ADD COLUMN "pruned_id" bigint;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_verification_attempts" ADD CONSTRAINT "webhook_verification_attempts_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
CREATE INDEX "events_large_trades" ON "events" USING btree ("commit_xid","id") WHERE large_trade_id is not null;