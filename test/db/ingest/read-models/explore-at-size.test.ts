import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { buildExplore, type ExploreStep } from "../../../../src/ingest/read-models/explore/build-explore.ts";
import { createDatabaseCopy } from "../../../support/database/database-copies.ts";
import { sized } from "../../../support/sized.ts";

/*
 * A size that a single statement per minute could not process. At another size, and with the cost of each
 * build:
 *   EXPLORE_MARKETS=1000000 npx vitest run --config test/vitest.config.ts \
 *     --project db test/db/ingest/read-models/explore-at-size.test.ts
 */
const MARKETS = Number(process.env["EXPLORE_MARKETS"] ?? sized({ short: 100_000, full: 300_000 }));
const CHANGED = 100;
const NEWEST = "(select max(id) from list_generations where list = 'explore')";

/**
 * Half of the markets are grouped three to an event, the others are single; one in fifty is open, the rest
 * has resolved.
 */
async function manyMarkets(pool: Pool): Promise<void> {
  for (const statement of [
    // Not needed here, and most of the cost of so many insertions.
    "drop index markets_category_volume, markets_volume",
    // The first build computes everything, independent of the triggers' marks.
    "alter table markets disable trigger user; alter table outcomes disable trigger user",
    `insert into provider_events (slug, title) select 'event-' || n, 'Event ' || n from generate_series(1, ${MARKETS} / 6) n`,
    `insert into markets (condition_id, title, event_id, category, closed, payouts_ppm, volume_usd, volume_24h_usd, liquidity_usd, end_at,
       provider_created_at)
     select '0x' || lpad(to_hex(n), 64, '0'), 'Market ' || n, case when n % 2 = 0 then 1 + (n / 6) % (${MARKETS} / 6) end,
       case n % 3 when 0 then 'Crypto' when 1 then 'Politics' end, n % 50 > 0, case when n % 50 > 0 then '{0,1000000}'::int[] end, n, n % 1000,
       n % 500, now() + (n % 1000 - 990) * interval '1 hour', now() - n * interval '1 minute'
     from generate_series(1, ${MARKETS}) n`,
    "insert into outcomes (market_id, token_id, outcome_index, last_trade_price) select id, 'token-' || id, 0, 0.5 from markets",
    "alter table markets enable trigger user; alter table outcomes enable trigger user",
    "analyze markets, outcomes, provider_events",
  ]) {
    await pool.query(statement);
  }
}

/** Builds to the end, one transaction per step. @returns the last step and the number of steps */
async function build(pool: Pool): Promise<{ step: ExploreStep; steps: number }> {
  for (let steps = 1; ; steps++) {
    const step = await inTransaction(pool, (session) => buildExplore(session));
    if (step !== "more") return { step, steps };
  }
}

test(
  "a generation of many markets writes the changed entries, and nothing when nothing has changed",
  { timeout: 600_000 },
  async () => {
    const database = await createDatabaseCopy();
    const pool = new pg.Pool({ connectionString: database.url, max: 1 }) as unknown as Pool;
    const numberOf = async (query: string) =>
      Number((await pool.query<{ n: string }>(`select (${query}) as n`)).rows[0]?.n);
    const entries = (condition: string) => numberOf(`select count(*) from explore_entries where ${condition}`);
    try {
      await manyMarkets(pool);
      const alone = await numberOf("select count(*) from markets where event_id is null");
      const events = await numberOf("select count(distinct event_id) from markets");
      const first = await build(pool);
      expect(first.step).toBe("published");
      // At most a thousand entries per step; each step is a statement within its timeout.
      expect(first.steps).toBeGreaterThanOrEqual(MARKETS / 2_000);
      expect(await entries("removed_in is null")).toBe(alone + events);
      expect(await numberOf(`select row_count from list_generations where id = ${NEWEST}`)).toBe(alone + events);

      expect(await build(pool)).toEqual({ step: "unchanged", steps: 1 });
      expect(await entries("true")).toBe(alone + events);

      const changed = `select id from markets where not closed order by id limit ${CHANGED}`;
      const touched = await numberOf(
        `select count(distinct explore_key(id, event_id)) from markets where id in (${changed})`,
      );
      await pool.query(`update markets set volume_24h_usd = volume_24h_usd + 100000 where id in (${changed})`);
      expect(await build(pool)).toEqual({ step: "published", steps: 1 });
      expect(await entries(`added_in = ${NEWEST}`)).toBe(touched);
      expect(await entries(`removed_in = ${NEWEST}`)).toBe(touched);
      expect(touched).toBeGreaterThan(CHANGED / 5);

      // Read again without a change, as the walk over the open markets does every few minutes.
      await pool.query("update markets set figures_as_of = now(), hydrated_at = now() where not closed");
      expect(await build(pool)).toEqual({ step: "unchanged", steps: 1 });
    } finally {
      await pool.end();
    }
  },
);
