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
ALTER TABLE "export_jobs" ADD CONSTRAINT "export_jobs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "export_jobs_account" ON "export_jobs" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "export_jobs_due" ON "export_jobs" USING btree ("due_at") WHERE state in ('queued', 'running', 'cancel_requested', 'reconcile_required');--> statement-breakpoint
CREATE INDEX "export_jobs_ready" ON "export_jobs" USING btree ("expires_at") WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX "export_jobs_ended" ON "export_jobs" USING btree ("ended_at") WHERE ended_at is not null;