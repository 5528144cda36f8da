import type { Pool } from "@neondatabase/serverless";
import { beforeAll, expect, test } from "vitest";
import type { Fault } from "../../../scripts/provider/index.ts";
import { ProviderRefused, type Provider } from "../../../src/ports/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { emptyIngest } from "../../support/ingest/empty-ingest.ts";
import { runUntilIdle } from "../../support/ingest/ingest-worker.ts";
import { readStoredState, type StoredState } from "../../support/ingest/stored-state.ts";
import { providerAt } from "../providers/polymarket/provider-at-endpoint.ts";
import { aReplay, aV1Trade } from "../scripts/provider/recordings.ts";
import { expectedPositions, type ExpectedMove } from "./expected-positions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** Two pages of every feed: one wallet buys 10 at 0.50 and every third time sells 4 at 0.60, first of all it buys 20,000. */
const TRADES = 1_300;
const MOVES = Array.from({ length: TRADES }, (_, index): ExpectedMove => {
  const n = index + 1;
  const sells = n % 3 === 0;
  const shares = n === 1 ? 20_000_000_000n : sells ? 4_000_000n : 10_000_000n;
  const usd = sells ? 2_400_000n : shares / 2n;
  return { n, kind: sells ? "sell" : "buy", wallet: 1, market: 1, outcome: 0, shares, usd, fee: null, atSeconds: n };
});
const RECORDED = MOVES.toReversed().map(({ n, kind, shares }) =>
  aV1Trade(n, { side: kind.toUpperCase(), size: Number(shares) / 1e6, price: kind === "sell" ? 0.6 : 0.5 }),
);

/** Ahead of the database's clock, so that what is done is not due again while the test runs. */
const NOW = Date.now() + 3_600_000;

/** Every feed, and the activity the large purchase makes us follow, as far as they come; then once more, which must change nothing. */
async function ingest(pool: Pool, provider: Provider) {
  await emptyIngest(pool);
  const worker = { pool, provider, queue: [], now: () => NOW };
  await runUntilIdle(worker);
  const state = await readStoredState(pool);
  await runUntilIdle(worker);
  expect(await readStoredState(pool)).toEqual(state);
  return state;
}

const onEveryFeed = (fault: Omit<Fault, "path">): Fault[] => [
  { ...fault, path: "/data/v2/trades" },
  { ...fault, path: "/data/v2/activity" },
];

/** One more than the attempts of a read, so that the read fails and the job is run again. */
const TOO_OFTEN = 5;

test.each([
  ["429 until the read gives up", onEveryFeed({ kind: "status", status: 429, retryAfterSeconds: 0, skip: 1, times: TOO_OFTEN })],
  ["500 until the read gives up", onEveryFeed({ kind: "status", status: 500, skip: 1, times: TOO_OFTEN })],
  ["garbage until the read gives up", onEveryFeed({ kind: "garbage", skip: 1, times: TOO_OFTEN })],
  ["half a body", onEveryFeed({ kind: "truncated_json", skip: 1 })],
  ["a cut connection", onEveryFeed({ kind: "cut", skip: 1 })],
  ["a closed connection", onEveryFeed({ kind: "closed" })],
  ["a page served twice", onEveryFeed({ kind: "repeated_page", skip: 1 })],
])("%s costs further attempts, and nothing is lost or doubled", async (_, faults) => {
  const { provider, waits } = providerAt(await aReplay({ "trades.ndjson": RECORDED }, faults));
  expectWhole(await ingest(database.openPool(), provider));
  expect(waits.length).toBeGreaterThan(0);
});

test("short pages and pages in the wrong order lose and double nothing", async () => {
  const faults = [...onEveryFeed({ kind: "short_page", times: 2 }), ...onEveryFeed({ kind: "unordered_rows", times: 2 })];
  const endpoint = await aReplay({ "trades.ndjson": RECORDED }, faults);
  const state = await ingest(database.openPool(), providerAt(endpoint).provider);
  expectWhole(state);
  expect(state.setAside).toEqual([]);
});

test("broken rows are set aside once each beside the sound rows of their page", async () => {
  const faults = onEveryFeed({ kind: "malformed_records", records: 4, skip: 1 });
  const state = await ingest(database.openPool(), providerAt(await aReplay({ "trades.ndjson": RECORDED }, faults)).provider);
  expectWhole(state);
  const counts = Map.groupBy(state.setAside, (row) => row["feed"]);
  expect([...counts].map(([feed, rows]) => [feed, rows.length])).toEqual([
    ["activity", 4],
    ["trades:takers", 4],
  ]);
});

function expectWhole(state: StoredState): void {
  const [expected] = expectedPositions(MOVES);
  expect(state.entries).toHaveLength(TRADES);
  expect(state.positions).toMatchObject([
    {
      shares_micro: String(expected?.shares),
      cost_micro: String(expected?.cost),
      realized_micro: String(expected?.realized),
      entry_count: TRADES,
    },
  ]);
  expect(state.announced.map((event) => event["type"])).toEqual(["large_trade_inserted_v2", "trader_synced"]);
  expect([state.largeTrades.length, state.announcedInSum]).toEqual([1, [{ count: 1 }]]);
  // Its trades are of long ago: followed for the large one, it is read to the end and then let be.
  expect(state.traders).toMatchObject([{ tier: "cold", complete: true, resume: null }]);
}

test("a cursor the provider no longer takes starts the walk over, and nothing is lost or doubled", async () => {
  const { provider } = providerAt(await aReplay({ "trades.ndjson": RECORDED }));
  const untroubled = await ingest(database.openPool(), provider);
  const refused = new Set<string>();
  /** Refuses the first cursor of each feed it is shown. */
  async function refusingOnce<Page>(feed: string, cursor: string | null, list: () => Promise<Page>): Promise<Page> {
    if (cursor === null || refused.has(feed)) return list();
    refused.add(feed);
    throw new ProviderRefused("the cursor has expired");
  }
  const forgetful: Provider = {
    ...provider,
    listTrades: (feed, cursor) => refusingOnce(feed, cursor, () => provider.listTrades(feed, cursor)),
    listActivity: (address, since, cursor) => refusingOnce(address, cursor, () => provider.listActivity(address, since, cursor)),
  };
  expect(await ingest(database.openPool(), forgetful)).toEqual(untroubled);
  expect(refused.size).toBe(3);
});
