CREATE TABLE "dead_letters" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dead_letters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"queue" text NOT NULL,
	"message_id" text NOT NULL,
	"letter" jsonb,
	"attempts" integer NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replay_requested_at" timestamp with time zone,
	"replayed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_message" ON "dead_letters" USING btree ("queue","message_id");--> statement-breakpoint
CREATE INDEX "dead_letters_recorded" ON "dead_letters" USING btree ("recorded_at");