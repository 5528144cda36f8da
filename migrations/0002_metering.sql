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
ALTER TABLE "accounts" ADD COLUMN "pay_as_you_go" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "idempotency_records_expires" ON "idempotency_records" USING btree ("expires_at");