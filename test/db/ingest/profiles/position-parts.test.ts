import type { Pool } from "@neondatabase/serverless";
import { beforeEach, expect, test } from "vitest";
import { inTransaction, type Database, type Session } from "../../../../src/db/client.ts";
import { run } from "../../../../src/db/sql.ts";
import { loadHistories } from "../../../../src/ingest/profiles/load-histories.ts";
import {
  loadPositionPart,
  readTraderPositions,
  WITHOUT_BITMAPS,
} from "../../../../src/ingest/profiles/load-trader-positions.ts";
import { countStatements } from "../../../support/database/count-statements.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { readsOf, rowsRead } from "../../../support/database/plan-reads.ts";
import { vacuumTables } from "../../../support/database/vacuum-tables.ts";

const AS_OF = "2026-11-20";
const MARKETS = 30;
const TRADERS = [3, 1, 2];

let db: Database;
let pool: Pool;

/**
 * Three traders with positions in both outcomes of 30 markets, the second one in every third outcome only. The outcomes of a
 * market are 30 ids apart. Every fifth position of a trader has a split, every seventh a conversion.
 */
beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
  await pool.query(`
    insert into markets (id, condition_id, category, tags, hydrated_at, settled_on, resolved_at, payouts_ppm) overriding system value
      select n, 'condition-' || n, (array['Politics', 'Esports', null])[n % 3 + 1], '{dota2}', now(),
        case when n % 4 > 0 then date '${AS_OF}' - n % 5 + 1 end, case when n % 4 > 0 then timestamptz '${AS_OF}' - n * interval '1 hour' end,
        case when n % 4 > 0 then case when n % 2 = 0 then '{1000000,0}' else '{0,1000000}' end::int[] end
      from generate_series(1, ${MARKETS}) n;
    insert into outcomes (id, market_id, token_id, outcome_index) overriding system value
      select n + i * ${MARKETS}, n, 'token-' || n || '-' || i, i from generate_series(1, ${MARKETS}) n, generate_series(0, 1) i;
    insert into traders (id, address) overriding system value select n, 'wallet-' || n from generate_series(1, 4) n;
    insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, settled_micro, bought_shares_micro,
      bought_usd_micro, sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at)
      select t.id, o.id, o.market_id, 1000000, 500000, o.id * 1000 - 20000, case when o.market_id % 4 > 0 then t.id * 7001 end,
        1000000 + o.id, 300000 + t.id * 1009 * o.id % 400000, 0, 0, o.id, case when o.id % 13 = 0 then 1 else 0 end, 1,
        timestamptz '2026-10-01' + o.id * interval '1 hour', timestamptz '2026-10-02' + t.id * interval '1 hour'
      from traders t, outcomes o where t.id <> 2 or o.id % 3 = 0;
    insert into skill_markets (market_id, trader_id, cluster, bets, usd_micro, edge_micro, variance_micro, is_by_role)
      select market_id, trader_id, -market_id, 1, market_id * 1000, market_id * 77 - 900, 1, true
      from positions where market_id % 4 > 0 group by market_id, trader_id;
    insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(n), trader_id, outcome_id, market_id, kind, 1000 * n, 0, 300 * n, 0.3, first_at
      from positions, unnest(array['buy', 'split', 'split', 'convert_in']) with ordinality k (kind, ordinality), lateral (select ordinality::int as n) o
      where kind = 'buy' or (kind = 'split' and outcome_id % 5 = 0) or (kind = 'convert_in' and outcome_id % 7 = 0)`);
});

/** The histories of the traders, and the statements that positions took. */
const load = (traderIds: readonly number[], partSize?: number) =>
  inTransaction(pool, async (session) => {
    const { db: counting, sent } = countStatements(session as unknown as Database);
    const histories = await loadHistories(counting as unknown as Session, traderIds, AS_OF, partSize);
    // One statement is for the days.
    return { histories, statements: sent() - 1 };
  });

test.for([1, 2, 7, 20, 60, 61, 139, 140])(
  "histories read in parts of %d positions equal the whole read",
  async (size) => {
    const whole = await load(TRADERS);
    expect(whole.statements).toBe(1);
    const inParts = await load(TRADERS, size);
    expect(inParts.statements).toBeGreaterThan(1);
    expect(inParts.histories).toEqual(whole.histories);
  },
);

test("a trader with fewer positions than a part takes one statement", async () => {
  expect((await load([1], 61)).statements).toBe(1);
  // The setting for later parts, and the part that finds nothing more.
  expect((await load([1], 60)).statements).toBe(3);
  expect((await load([2], 7)).statements).toBe(4);
  expect((await load([])).statements).toBe(0);
});

test("every part has the splits and conversions of its own positions", async () => {
  const facts = await inTransaction(pool, async (session) => {
    const read: unknown[] = [];
    for await (const part of readTraderPositions(session, [2, 3], AS_OF, 7))
      read.push(...part.map(({ traderId, outcomeId, given }) => [traderId, outcomeId, given]));
    return read;
  });
  const expected = [2, 3].flatMap((traderId) =>
    Array.from({ length: 2 * MARKETS }, (_, n) => n + 1)
      .filter((outcomeId) => traderId === 3 || outcomeId % 3 === 0)
      .map((outcomeId) => {
        const [hasSplit, hasConversion] = [outcomeId % 5 === 0, outcomeId % 7 === 0];
        // Two splits, of 2,000 and 3,000, and a conversion of 4,000 millionths of a share, all at 0.30.
        const thousands = BigInt((hasSplit ? 5 : 0) + (hasConversion ? 4 : 0));
        const given = { usdMicro: 300n * thousands, sharesMicro: 1000n * thousands, hasSplit, hasConversion };
        return [traderId, outcomeId, thousands === 0n ? null : given];
      }),
  );
  expect(facts).toEqual(expected);
});

test("a position has the bets of its market, unless they are to be scored again or were counted without roles", async () => {
  await pool.query("update skill_markets set is_by_role = false where market_id = 1 and trader_id = 3");
  await pool.query("insert into skill_due (market_id) values (2)");
  const part = await inTransaction(pool, (session) =>
    loadPositionPart(session, { traderIds: [3], afterOutcomeId: 0 }, AS_OF, 200),
  );
  expect(part.map(({ marketId, bets }) => [marketId, bets])).toEqual(
    Array.from({ length: 2 * MARKETS }, (_, n) => (n % MARKETS) + 1).map((market) => {
      const isCounted = market % 4 > 0 && market > 2;
      return [market, isCounted ? { usdMicro: market * 1000, edgeMicro: market * 77 - 900 } : null];
    }),
  );
});

test("parts of a trader with more positions than expected are read in the order of the primary key", async () => {
  const traderId = 1000;
  const addPositions = (from: string) =>
    pool.query(`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro,
      bought_usd_micro, sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at)
      select trader_id, o.id, o.market_id, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, now(), now() from ${from} order by o.id, trader_id`);
  await addPositions("outcomes o, generate_series(5, 300) trader_id");
  await vacuumTables(db);
  await pool.query(`insert into outcomes (id, market_id, token_id) overriding system value
    select 1000 + n, 1, 'more-' || n from generate_series(1, 1000) n`);
  await addPositions(`outcomes o, generate_series(${traderId}, ${traderId}) trader_id`);
  const reads = await inTransaction(pool, async (session) => {
    await run(session, WITHOUT_BITMAPS);
    return readsOf(session as unknown as Database, "positions", (explaining) =>
      loadPositionPart(explaining as unknown as Session, { traderIds: [traderId], afterOutcomeId: 1 }, AS_OF, 200),
    );
  });
  expect(reads.map((node) => node["Index Name"])).toEqual(["positions_trader_id_outcome_id_pk"]);
  expect(rowsRead(reads)).toBe(200);
});
