CREATE TABLE "combo_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "combo_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider_id" text NOT NULL,
	"market_id" bigint NOT NULL,
	"trader_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"amount_micro" bigint,
	"payout_micro" bigint,
	"shares_micro" bigint,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"happened_at" timestamp with time zone NOT NULL,
	CONSTRAINT "combo_events_provider_id_unique" UNIQUE("provider_id")
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
ALTER TABLE "combo_events" ADD CONSTRAINT "combo_events_market_id_combos_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."combos"("market_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "combo_legs" ADD CONSTRAINT "combo_legs_market_id_combos_market_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."combos"("market_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "combo_legs" ADD CONSTRAINT "combo_legs_leg_market_id_markets_id_fk" FOREIGN KEY ("leg_market_id") REFERENCES "public"."markets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "combos" ADD CONSTRAINT "combos_market_id_markets_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."markets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "combo_events_market" ON "combo_events" USING btree ("market_id","happened_at");--> statement-breakpoint
CREATE INDEX "combo_events_trader" ON "combo_events" USING btree ("trader_id","happened_at");--> statement-breakpoint
CREATE INDEX "combo_legs_market" ON "combo_legs" USING btree ("leg_market_id");--> statement-breakpoint
CREATE INDEX "combos_read_due" ON "combos" USING btree ("read_due_at") WHERE read_due_at is not null;