CREATE TABLE "watchlist_wallets" (
	"watchlist_id" bigint NOT NULL,
	"wallet" text NOT NULL,
	CONSTRAINT "watchlist_wallets_watchlist_id_wallet_pk" PRIMARY KEY("watchlist_id","wallet")
);
--> statement-breakpoint
CREATE TABLE "watchlists" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watchlists_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"wallet_count" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "watchlist_wallets" ADD CONSTRAINT "watchlist_wallets_watchlist_id_watchlists_id_fk" FOREIGN KEY ("watchlist_id") REFERENCES "public"."watchlists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watchlists" ADD CONSTRAINT "watchlists_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "watchlist_wallets_wallet" ON "watchlist_wallets" USING btree ("wallet","watchlist_id");--> statement-breakpoint
CREATE INDEX "watchlists_account" ON "watchlists" USING btree ("account_id","id");