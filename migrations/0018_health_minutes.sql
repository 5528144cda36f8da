CREATE TABLE "health_minutes" (
	"minute" timestamp with time zone PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"is_cache_up" boolean,
	"is_webhook_compatible" boolean,
	"is_schema_current" boolean,
	"healthy_jobs" smallint
);
