import type { Pool } from "@neondatabase/serverless";
import { beforeAll, expect, test } from "vitest";
import type { Fault } from "../../../../scripts/provider/index.ts";
import { ProviderRefused, type Provider } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { emptyIngest } from "../../../support/ingest/empty-ingest.ts";
import { runUntilIdle } from "../../../support/ingest/ingest-worker.ts";
import { readStoredState, type StoredState } from "../../../support/ingest/stored-state.ts";
import { providerAt } from "../../../unit/providers/polymarket/provider-at-endpoint.ts";
import { aReplay, aV1Trade } from "../../../unit/scripts/provider/provider-recordings.ts";
import { expectedPositions, type ExpectedEntry } from "../ledger/expected-positions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/**
 * Two pages of every feed: one trader first buys 20,000 shares, then buys 10 at 0.50, and every third time
 * sells 4 at 0.60.
 */
const TRADES = 1_300;
const MOVES = Array.from({ length: TRADES }, (_, index): ExpectedEntry => {
  const n = index + 1;
  const sells = n % 3 === 0;
  const shares = n === 1 ? 20_000_000_000n : sells ? 4_000_000n : 10_000_000n;
  const usd = sells ? 2_400_000n : shares / 2n;
  return { n, kind: sells ? "sell" : "buy", wallet: 1, market: 1, outcome: 0, shares, usd, fee: null, atSeconds: n };
});
const RECORDED = MOVES.toReversed().map(({ n, kind, shares }) =>
  aV1Trade(n, { side: kind.toUpperCase(), size: Number(shares) / 1e6, price: kind === "sell" ? 0.6 : 0.5 }),
);

/** Ahead of the database's clock, so that finished work is not due again during the test. */
const NOW = Date.now() + 3_600_000;

/**
 * Reads every feed to its end, with the activity of the trader that the large buy makes us follow; then once
 * more, which must change nothing.
 */
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

/** One more than the attempts of a read, so that the read fails and the job runs again. */
const ATTEMPTS_EXHAUSTED = 5;

test.each([
  [
    "429 until the read gives up",
    onEveryFeed({ kind: "status", status: 429, retryAfterSeconds: 0, skip: 1, times: ATTEMPTS_EXHAUSTED }),
  ],
  ["500 until the read gives up", onEveryFeed({ kind: "status", status: 500, skip: 1, times: ATTEMPTS_EXHAUSTED })],
  ["garbage until the read gives up", onEveryFeed({ kind: "garbage", skip: 1, times: ATTEMPTS_EXHAUSTED })],
  ["half a body", onEveryFeed({ kind: "truncated_json", skip: 1 })],
  ["a cut connection", onEveryFeed({ kind: "cut", skip: 1 })],
  ["a closed connection", onEveryFeed({ kind: "closed" })],
  ["a page served twice", onEveryFeed({ kind: "repeated_page", skip: 1 })],
])("a provider that sends %s costs further attempts, and nothing is lost or doubled", async (_, faults) => {
  const { provider, waits } = providerAt(await aReplay({ "trades.ndjson": RECORDED }, faults));
  expectComplete(await ingest(database.openPool(), provider));
  expect(waits.length).toBeGreaterThan(0);
});

test("short pages and pages in the wrong order lose and double nothing", async () => {
  const faults = [
    ...onEveryFeed({ kind: "short_page", times: 2 }),
    ...onEveryFeed({ kind: "unordered_rows", times: 2 }),
  ];
  const endpoint = await aReplay({ "trades.ndjson": RECORDED }, faults);
  const state = await ingest(database.openPool(), providerAt(endpoint).provider);
  expectComplete(state);
  expect(state.quarantined).toEqual([]);
});

test("broken rows are quarantined once each, and the valid rows of their page are stored", async () => {
  const faults = onEveryFeed({ kind: "malformed_records", records: 4, skip: 1 });
  const state = await ingest(
    database.openPool(),
    providerAt(await aReplay({ "trades.ndjson": RECORDED }, faults)).provider,
  );
  expectComplete(state);
  const counts = Map.groupBy(state.quarantined, (row) => row["feed"]);
  expect([...counts].map(([feed, rows]) => [feed, rows.length])).toEqual([
    ["activity", 4],
    ["trades:takers", 4],
  ]);
});

function expectComplete(state: StoredState): void {
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
  // Its trades are old: it was followed for the large trade, read to the end, and then became cold.
  expect(state.traders).toMatchObject([{ tier: "cold", complete: true, resume: null }]);
}

test("a cursor that the provider refuses restarts the walk, and nothing is lost or doubled", async () => {
  const { provider } = providerAt(await aReplay({ "trades.ndjson": RECORDED }));
  const uninterrupted = await ingest(database.openPool(), provider);
  const refused = new Set<string>();
  /** Refuses the first cursor of each feed. */
  async function refusingOnce<Page>(feed: string, cursor: string | null, list: () => Promise<Page>): Promise<Page> {
    if (cursor === null || refused.has(feed)) return list();
    refused.add(feed);
    throw new ProviderRefused("the cursor has expired");
  }
  const refusing: Provider = {
    ...provider,
    listTrades: (feed, cursor) => refusingOnce(feed, cursor, () => provider.listTrades(feed, cursor)),
    listActivity: (address, since, cursor) =>
      refusingOnce(address, cursor, () => provider.listActivity(address, since, cursor)),
  };
  expect(await ingest(database.openPool(), refusing)).toEqual(uninterrupted);
  expect(refused.size).toBe(3);
});
