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
CREATE INDEX "published_flow_alerts_time" ON "published_flow_alerts" USING btree ("published_at");