CREATE TABLE "market_texts" (
	"market_id" bigint PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"slug" text,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', title || ' ' || coalesce(slug, ''))) STORED
);
--> statement-breakpoint
ALTER TABLE "market_texts" ADD CONSTRAINT "market_texts_market_id_markets_id_fk" FOREIGN KEY ("market_id") REFERENCES "public"."markets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE FUNCTION "write_market_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.title <> '' THEN
    INSERT INTO market_texts (market_id, title, slug) VALUES (new.id, new.title, new.slug)
    ON CONFLICT (market_id) DO UPDATE SET title = excluded.title, slug = excluded.slug;
  ELSE
    DELETE FROM market_texts WHERE market_id = new.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "markets_text_added" AFTER INSERT ON "markets" FOR EACH ROW WHEN (
  new.title <> '' AND NOT (length(new.condition_id) = 64 AND new.condition_id LIKE '0x03%')
) EXECUTE FUNCTION write_market_text();
--> statement-breakpoint
CREATE TRIGGER "markets_text_changed" AFTER UPDATE ON "markets" FOR EACH ROW WHEN (
  (old.title, old.slug) IS DISTINCT FROM (new.title, new.slug)
  AND NOT (length(new.condition_id) = 64 AND new.condition_id LIKE '0x03%')
) EXECUTE FUNCTION write_market_text();
