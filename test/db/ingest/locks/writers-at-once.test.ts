import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import type { StoredDifference } from "../../../../scripts/recompute/figures.ts";
import { createRandom, type Random } from "../../../../scripts/provider/simulate/random.ts";
import { recompute } from "../../../../scripts/recompute/recompute.ts";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyGameEvents } from "../../../../src/ingest/games/apply-game-events.ts";
import { valuePositions } from "../../../../src/ingest/ledger/value-positions.ts";
import { applyBooks } from "../../../../src/ingest/markets/apply-books.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { checkResults } from "../../../../src/ingest/markets/results/check-results.ts";
import { postponeResults } from "../../../../src/ingest/markets/results/due-results.ts";
import { claimUnhydratedMarkets, claimUnlistedMarkets } from "../../../../src/ingest/queue/list-due-work.ts";
import { buildTrending } from "../../../../src/ingest/read-models/build-trending.ts";
import { gradeDueTraders } from "../../../../src/ingest/skill/grade-traders.ts";
import { storeSkillPopulation } from "../../../../src/ingest/skill/skill-populations.ts";
import type { ProviderBook } from "../../../../src/platform/provider.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aGameEvent } from "../../../support/ingest/provider/provider-games.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { aProviderBoard } from "../../../support/ingest/provider/provider-boards.ts";
import { aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import { aTrade, conditionOf, pageOf, tokenOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { ChangingMarkets } from "../../../support/ingest/worlds/changing-markets.ts";
import { sized } from "../../../support/sized.ts";

const SEED = inject("seed");
const RUN_MS = sized({ short: 10_000, full: 60_000 });
/** Of each writer, however busy the machine is. */
const LEAST_RUNS = 5;
const MARKETS = 50;
const WALLETS = 40;
const POPULATION = {
  ...{ traders: 500, mean: -0.02, variance: 0.01, dispersion: 1, storyCorrelation: 0 },
  ...{ typicalVariance: 0.25, significance: 9, closing: null },
};

const some = (random: Random, count: number): number[] => [
  ...new Set(Array.from({ length: count }, () => random.integer(1, MARKETS))),
];

/** Every writer of markets, outcomes and the ledger, over the same fifty markets. Each call works once. */
function writersOver(random: (name: string) => Random, nowMs: number) {
  let trades = 0;
  const markets = new ChangingMarkets(random("markets"), MARKETS, nowMs);
  const inTrades = random("trades");
  const inBooks = random("books");
  const inResults = random("results");
  const inGrades = random("grades");
  const inGames = random("games");
  const aPage = () =>
    pageOf(
      Array.from({ length: 30 }, () => {
        trades += 1;
        const market = inTrades.integer(1, MARKETS + 5);
        const facts = {
          n: trades,
          wallet: inTrades.integer(1, WALLETS),
          market,
          outcome: inTrades.pick([0, 1] as const),
        };
        return aTrade({
          ...facts,
          ...{ side: inTrades.pick(["BUY", "SELL"] as const), price: inTrades.pick(["0.2", "0.5", "0.8"]) },
          // Some are late, some are large.
          ...{ atSeconds: Math.floor(nowMs / 1_000) + inTrades.integer(-600, 0) },
          sharesMicro: inTrades.chance(0.2) ? 90_000_000_000n : 10_000_000n,
        });
      }),
    );
  const provider = {
    ...aPagedProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] }),
    findResolutions: async (ids: readonly string[]) =>
      pageOf(
        some(inResults, 20)
          .filter((market) => ids.includes(conditionOf(market)))
          .map((market) => aResolution(market, inResults.pick([null, 0, 500_000, 1_000_000]), new Date(nowMs))),
      ),
    findBooks: async (tokenIds: readonly string[]) => pageOf(tokenIds.map((tokenId) => aBook(tokenId))),
  };
  const aBook = (tokenId: string): ProviderBook => {
    const cents = inBooks.integer(2, 90);
    return {
      ...{
        tokenId,
        bestBid: String(cents / 100),
        bestAsk: String((cents + 2) / 100),
        bidDepthUsd: "1",
        askDepthUsd: "1",
      },
      ...{ lastTradePrice: inBooks.pick([null, String(cents / 100)]), asOf: new Date() },
    };
  };
  const takers = (pool: Pool) => joinIngest(pool).apply("takers", aPage());
  const books = (pool: Pool) => {
    const given = some(inBooks, 20).map((market) => aBook(tokenOf(market, inBooks.pick([0, 1]))));
    const tokenIds = given.map(({ tokenId }) => tokenId);
    return inTransaction(pool, (session) => applyBooks(session, tokenIds, given, [], new Date()));
  };
  const descriptions = (pool: Pool) => applyMarkets(pool, markets.read(20), [], new Date());
  return [
    takers,
    takers,
    books,
    books,
    descriptions,
    descriptions,
    (pool: Pool) => joinIngest(pool).apply("all", aPage()),
    async (pool: Pool) => {
      await pool.query(
        `with due as (select id from markets where random() < 0.2 order by id for no key update)
         update markets m set result_due_at = now() from due where m.id = due.id`,
      );
      const settings = { now: Date.now, enqueue: async () => undefined, scheduleWithin: () => undefined };
      await checkResults({ pool, provider, ...settings });
      await postponeResults(pool, some(inResults, 20).map(conditionOf), new Date());
    },
    (pool: Pool) => valuePositions(pool),
    async (pool: Pool) => {
      await pool.query(
        `insert into trader_skill (trader_id, bets, clusters, weight, edge, information, square_information, edge_edge, edge_variance,
           variance_variance, is_due)
         select id, 60, 60, 60000000000, 30000000000, 15000000000, 3750000000, 15000000000, 7500000000, 3750000000, true
         from traders where address = $1 on conflict (trader_id) do update set bets = trader_skill.bets + 1, is_due = true`,
        [walletOf(inGrades.integer(1, WALLETS))],
      );
      // Grades of a population that changes all the time would never be published.
      await new Promise((done) => setTimeout(done, 20));
      if (inGrades.chance(0.01)) await inTransaction(pool, (session) => storeSkillPopulation(session, POPULATION));
    },
    (pool: Pool) => gradeDueTraders(pool),
    (pool: Pool) => gradeDueTraders(pool),
    (pool: Pool) => buildTrending(pool, "week", aProviderBoard(some(inGames, 10).map(walletOf))),
    async (pool: Pool) => {
      const events = some(inGames, 5).map((n) => aGameEvent(n, { slug: `event-${n}` }));
      await inTransaction(pool, (session) => applyGameEvents(session, pageOf(events), new Date()));
      await claimUnhydratedMarkets(pool, 10);
      await claimUnlistedMarkets(pool, 10);
    },
  ];
}

/** Facts that no recompute checks, as statements that count what contradicts them. */
const CONTRADICTIONS = {
  "large trades of another category than their market": `
    select count(*) from large_trades l join markets m on m.id = l.market_id where l.category is distinct from m.category`,
  "markets whose large trades are miscounted": `
    select count(*) from markets m
    where m.large_trade_count <> (select count(*) from large_trades l where l.market_id = m.id)`,
  "positions that are not worth their outcome's price": `
    select count(*) from positions p join outcomes o on o.id = p.outcome_id
    where p.settled_micro is null and p.shares_micro > 0
      and p.value_micro is distinct from round(p.shares_micro * round(o.valued_price, 6))::bigint`,
  "quotes in resolved markets": `
    select count(*) from outcomes o join markets m on m.id = o.market_id
    where m.payouts_ppm is not null and (o.best_bid is not null or o.best_ask is not null)`,
  "grades in another order than their times": `
    select count(*) from trader_grades a join trader_grades b on b.trader_id = a.trader_id and b.id > a.id
    where b.valid_from < a.published_at`,
};

test("all writers at once cause no deadlock, and the figures equal a recompute", async () => {
  const database = await createTestDatabase();
  const client = new pg.Client(database.databaseUrl);
  onTestFinished(() => client.end());
  await client.connect();
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  const writers = writersOver((name) => createRandom(name, SEED), nowMs);
  const first = database.openPool();
  await joinIngest(first).apply(
    "takers",
    pageOf(Array.from({ length: WALLETS }, (_, n) => aTrade({ n: 900_000 + n, wallet: n + 1 }))),
  );
  await inTransaction(first, (session) => storeSkillPopulation(session, POPULATION));
  const endsAt = Date.now() + RUN_MS;
  await Promise.all(
    writers.map(async (write) => {
      const pool = database.openPool();
      let count = 0;
      for (; Date.now() < endsAt || count < LEAST_RUNS; count++) await write(pool);
    }),
  );
  await client.query("select pg_stat_force_next_flush()");
  const { rows: deadlocks } = await client.query(
    `select deadlocks::int as count from pg_stat_database where datname = current_database()`,
  );
  expect(deadlocks).toEqual([{ count: 0 }]);
  const differences: StoredDifference[] = [];
  await recompute(client, { verify: true, onDifference: (difference) => differences.push(difference) });
  expect(differences).toEqual([]);
  const pool = database.openPool();
  while (await valuePositions(pool));
  for (const [contradiction, text] of Object.entries(CONTRADICTIONS)) {
    const { rows } = await client.query<{ count: string }>(text);
    expect({ contradiction, count: rows[0]?.count }).toEqual({ contradiction, count: "0" });
  }
  const { rows: counts } = await client.query<Record<string, number>>(
    `select (select count(*) from ledger_entries)::int as entries, (select count(*) from large_trades)::int as large,
       (select count(*) from market_resolutions)::int as results,
       (select count(*) from trader_grades)::int as grades`,
  );
  expect(counts).toHaveLength(1);
  expect(Object.entries(counts[0] ?? {}).filter(([, count]) => count === 0)).toEqual([]);
});
