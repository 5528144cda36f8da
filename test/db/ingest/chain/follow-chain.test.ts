import type { Pool } from "@neondatabase/serverless";
import { beforeAll, describe, expect, test } from "vitest";
import { sessionOf } from "../../../../src/db/client.ts";
import { followChain } from "../../../../src/ingest/chain/follow-chain.ts";
import type { TokenProvider } from "../../../../src/ingest/chain/describe-tokens.ts";
import { ChainState, findCheckpoint, saveCheckpoint } from "../../../../src/ingest/feeds/checkpoints.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { NEW_FEED } from "../../../../src/ingest/feeds/trade-walk-state.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { ProviderUnavailable } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openGeneratedChain } from "../../../support/ingest/chain-under-test.ts";
import { fillLogsOf, readFillLogs } from "../../../support/ingest/fill-logs.ts";
import { LARGE_TRADE_MIN_USD, openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { pageOf } from "../../../support/ingest/provider/provider-trades.ts";
import {
  activityOf,
  feedPageOf,
  generateBlocks,
  generatedMarkets,
  hash,
} from "../../../support/providers/generated-chain.ts";
import { isOrderFilled, type NodeBehaviour } from "../../../support/providers/generated-node.ts";

const FIRST = 90_000_000;
const BLOCKS = generateBlocks(5, FIRST, 40, 40n);
const LAST = FIRST + BLOCKS.length - 1;
const FILLS = BLOCKS.flatMap(({ fills }) => fills);
const LAST_MS = (BLOCKS.at(-1)?.second ?? 0) * 1000;
/** The feeds have had enough time for every block. */
const LATE = LAST_MS + 300_001 + 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

interface Run {
  readonly pool: Pool;
  readonly now?: number;
  readonly behaviour?: NodeBehaviour;
  readonly provider?: TokenProvider;
}

const AWAY: TokenProvider = {
  findTokenMarkets: () => Promise.reject(new ProviderUnavailable("gamma.markets: status 503", null)),
  findLegMarkets: () => Promise.reject(new ProviderUnavailable("gamma.markets: status 503", null)),
};
const provider = aPagedProvider({ takers: [], all: [], activity: {}, markets: generatedMarkets(), resolutions: [] });

/** One run of the job in a new process. */
async function run({ pool, now = LATE, behaviour = {}, provider: tokens = AWAY }: Run) {
  const { chain, node } = await openGeneratedChain(BLOCKS, { confirmations: 64, ...behaviour });
  const settings = { rowIds: new RowIdCache(), largeTradeMinUsd: LARGE_TRADE_MIN_USD, now: () => now };
  const more = await followChain(pool, { chain, confirmations: 64 }, tokens, settings);
  return { more, methods: node.calls.map(({ method }) => method) };
}

async function runToEnd(settings: Run): Promise<void> {
  while ((await run(settings)).more);
}

/** A database whose job has compared all blocks before the first. */
async function aLedger({ known = true }: { readonly known?: boolean } = {}) {
  const pool = database.openPool();
  const ingest = await openIngest(pool);
  if (known) await applyMarkets(pool, generatedMarkets(), [], new Date(0));
  await saveCheckpoint(sessionOf(pool), "chain:fills", {
    nextBlock: FIRST,
    lastHash: hash(`block ${FIRST - 1}`),
    stored: 0,
  });
  return { pool, ingest };
}

const checkpoint = (pool: Pool) => findCheckpoint(sessionOf(pool), "chain:fills", ChainState);

const watermark = (pool: Pool, feed: "all" | "takers", watermarkMs: number | null) =>
  saveCheckpoint(sessionOf(pool), `trades:${feed}`, { ...NEW_FEED, watermarkMs });

/** The state of the feeds and of all traders' activity, which has the fees. */
async function stateOfFeeds() {
  const { ingest } = await aLedger();
  for (const feed of ["all", "takers"] as const) await ingest.apply(feed, feedPageOf(BLOCKS, feed));
  for (const [address, rows] of activityOf(BLOCKS)) await ingest.applyActivity(address, pageOf(rows));
  return ingest.state();
}

test("the first run begins at the newest final block, and records nothing before it", async () => {
  const { pool, ingest } = await aLedger();
  await pool.query("delete from ingest_checkpoints");
  expect((await run({ pool, behaviour: { confirmations: 44 } })).more).toBe(false);
  expect(await checkpoint(pool)).toEqual({ nextBlock: LAST - 19, lastHash: hash(`block ${LAST - 20}`), stored: 0 });
  await runToEnd({ pool });
  const expected = BLOCKS.slice(-20).flatMap(({ fills }) => fills);
  expect((await ingest.state()).entries).toHaveLength(expected.length);
});

test("fills of a provider that stays away are recorded, and the feeds change nothing when it returns", async () => {
  const expected = await stateOfFeeds();
  const { pool, ingest } = await aLedger();
  await runToEnd({ pool });
  expect(await checkpoint(pool)).toEqual({
    nextBlock: LAST + 1,
    lastHash: hash(`block ${LAST}`),
    stored: FILLS.length,
  });
  expect(await ingest.state()).toEqual(expected);
  for (const feed of ["all", "takers"] as const) await ingest.apply(feed, feedPageOf(BLOCKS, feed));
  expect(await ingest.state()).toEqual(expected);
  expect(await readFillLogs(pool)).toEqual(fillLogsOf(BLOCKS));
});

test("the logs of fills that the feeds have shown are recorded, and nothing else", async () => {
  const { pool, ingest } = await aLedger();
  for (const feed of ["all", "takers"] as const) await ingest.apply(feed, feedPageOf(BLOCKS, feed));
  const before = await ingest.state();
  await runToEnd({ pool });
  expect(await readFillLogs(pool)).toEqual(fillLogsOf(BLOCKS));
  expect(await ingest.state()).toEqual(before);
});

test("a run compares a bounded number of blocks, and the next one continues", async () => {
  const { pool } = await aLedger();
  const first = await run({ pool });
  expect(first.more).toBe(true);
  expect((await checkpoint(pool))?.nextBlock).toBe(FIRST + 30);
  // The header that decides whether the blocks are due, one header a block, and their logs in two calls.
  expect(first.methods.filter((method) => method === "eth_getBlockByNumber")).toHaveLength(31);
  expect(first.methods.filter((method) => method === "eth_getLogs")).toHaveLength(2);
  expect((await run({ pool })).more).toBe(false);
  expect((await checkpoint(pool))?.nextBlock).toBe(LAST + 1);
  expect((await run({ pool })).methods).toEqual(["eth_chainId", "eth_blockNumber", "eth_getBlockByNumber"]);
});

describe("blocks that the feeds have not passed", () => {
  const recent = LAST_MS + 130_000;

  test.each([
    ["no feed has been read to its end", null, null],
    ["the feed of all trades is behind", LAST_MS - 60_000, LAST_MS],
    ["the feed of takers is behind", LAST_MS, LAST_MS - 60_000],
  ])("wait while %s", async (_, all, takers) => {
    const { pool, ingest } = await aLedger();
    await watermark(pool, "all", all);
    await watermark(pool, "takers", takers);
    expect(await run({ pool, now: recent })).toMatchObject({ more: false });
    expect((await checkpoint(pool))?.nextBlock).toBe(FIRST);
    expect((await ingest.state()).entries).toEqual([]);
  });

  test("are compared once both feeds have passed them", async () => {
    const { pool } = await aLedger();
    for (const feed of ["all", "takers"] as const) await watermark(pool, feed, LAST_MS);
    await runToEnd({ pool, now: recent });
    expect(await checkpoint(pool)).toMatchObject({ nextBlock: LAST + 1, stored: FILLS.length });
  });
});

describe("a node that lies stops the job, and nothing is stored", () => {
  const otherBlock = (number: number) => ({
    result: {
      number: `0x${number.toString(16)}`,
      hash: `0x${"ee".repeat(32)}`,
      parentHash: `0x${"ef".repeat(32)}`,
      timestamp: "0x68f62000",
    },
  });

  test.each<[string, NodeBehaviour, string]>([
    ["another chain", { chainId: 1 }, "The node is of chain 1, not of chain 137."],
    [
      "a log that was removed",
      { changeLogs: (logs) => logs.map((log, n) => (n === 2 ? { ...log, removed: true } : log)) },
      "the node sent a log that is not of its current chain",
    ],
    ["a log twice", { changeLogs: (logs) => [...logs, ...logs.slice(0, 1)] }, "the node sent a log twice"],
    [
      "headers that are not one chain",
      {
        fault: ({ method, params }) =>
          method === "eth_getBlockByNumber" && Number(params[0]) === FIRST + 7 ? otherBlock(FIRST + 7) : null,
      },
      `the chain of the node changed at block ${FIRST + 7}`,
    ],
    [
      "a block that is not there",
      { fault: ({ method }) => (method === "eth_getBlockByNumber" ? { result: null } : null) },
      "the node does not have block",
    ],
  ])("%s", async (_, behaviour, message) => {
    const { pool, ingest } = await aLedger();
    const [before, start] = [await ingest.state(), await checkpoint(pool)];
    await expect(run({ pool, behaviour })).rejects.toThrow(message);
    expect(await ingest.state()).toEqual(before);
    expect(await checkpoint(pool)).toEqual(start);
    await runToEnd({ pool });
    expect((await checkpoint(pool))?.nextBlock).toBe(LAST + 1);
  });

  test("no new block for ten minutes", async () => {
    const { pool } = await aLedger();
    await runToEnd({ pool });
    // Of the generated node: 64 blocks of two seconds follow the last one.
    const newestMs = LAST_MS + 128_000;
    expect((await run({ pool, now: newestMs + 600_000 })).more).toBe(false);
    await expect(run({ pool, now: newestMs + 600_001 })).rejects.toThrow(
      `the node is behind: its newest block ${LAST + 64} is of ${new Date(newestMs).toISOString()}`,
    );
  });

  test("blocks that do not follow the compared ones", async () => {
    const { pool, ingest } = await aLedger();
    const before = await ingest.state();
    await saveCheckpoint(sessionOf(pool), "chain:fills", { nextBlock: FIRST, lastHash: hash("another"), stored: 0 });
    await expect(run({ pool })).rejects.toThrow(
      `block ${FIRST} of the node does not follow the block ${FIRST - 1} that was compared`,
    );
    expect(await ingest.state()).toEqual(before);
  });
});

describe("fills of unknown markets", () => {
  const pending = async (pool: Pool) =>
    (await pool.query("select count(*)::int as count from chain_pending_fills")).rows[0].count as number;
  const letAMinutePass = (pool: Pool) =>
    pool.query("update chain_pending_fills set asked_at = asked_at - interval '61 seconds'");

  test("wait for the provider, and are recorded once it describes them", async () => {
    const { pool, ingest } = await aLedger({ known: false });
    await runToEnd({ pool });
    expect(await pending(pool)).toBe(FILLS.length);
    expect((await ingest.state()).entries).toEqual([]);
    await letAMinutePass(pool);
    await run({ pool });
    expect(await pending(pool)).toBe(FILLS.length);
    await run({ pool, provider });
    // The provider was asked in the run before.
    expect(await pending(pool)).toBe(FILLS.length);
    await letAMinutePass(pool);
    await run({ pool, provider });
    expect(await pending(pool)).toBe(0);
    expect(await readFillLogs(pool)).toEqual(fillLogsOf(BLOCKS));
    const { entries } = await ingest.state();
    expect(entries).toEqual((await stateOfFeeds()).entries);
  });

  test("change nothing when the feeds show them first", async () => {
    const { pool, ingest } = await aLedger({ known: false });
    await runToEnd({ pool });
    await applyMarkets(pool, generatedMarkets(), [], new Date(0));
    for (const feed of ["all", "takers"] as const) await ingest.apply(feed, feedPageOf(BLOCKS, feed));
    for (const [address, rows] of activityOf(BLOCKS)) await ingest.applyActivity(address, pageOf(rows));
    const before = await ingest.state();
    expect(await readFillLogs(pool)).toEqual([]);
    await run({ pool });
    expect(await pending(pool)).toBe(0);
    expect(await ingest.state()).toEqual(before);
    expect(await readFillLogs(pool)).toEqual(fillLogsOf(BLOCKS));
  });

  test("of an earlier release, whose pending rows have no OrdersMatched event, get their log index", async () => {
    const { pool } = await aLedger({ known: false });
    await runToEnd({ pool });
    await pool.query("update chain_pending_fills set orders_matched_log_index = null, exchange = null");
    await applyMarkets(pool, generatedMarkets(), [], new Date(0));
    await run({ pool });
    expect(await readFillLogs(pool)).toEqual(
      fillLogsOf(BLOCKS).map((row) => ({ ...row, matched: null, exchange: null })),
    );
  });
});

test("what cannot be recorded is quarantined, and the job goes on", async () => {
  const { pool, ingest } = await aLedger();
  const block = BLOCKS.find(({ fills }) => fills.length > 1);
  const changed = BLOCKS.map((one) =>
    one === block
      ? { ...one, fills: one.fills.map((fill, n) => (n === 0 ? { ...fill, sharesMicro: 0n } : fill)) }
      : one,
  );
  const { chain } = await openGeneratedChain(changed, {
    confirmations: 64,
    changeLogs: (logs) => {
      const last = logs.findLastIndex(isOrderFilled);
      return logs.map((log, n) => (n === last ? { ...log, data: "0x" } : log));
    },
  });
  const settings = { rowIds: new RowIdCache(), largeTradeMinUsd: LARGE_TRADE_MIN_USD, now: () => LATE };
  expect(await followChain(pool, { chain, confirmations: 64 }, AWAY, settings)).toBe(true);
  const { rows } = await pool.query("select feed, reason from quarantined_records order by reason");
  expect(rows).toEqual([
    // The last fill of each of two calls.
    { feed: "chain:fills", reason: "data: expected 7 words" },
    { feed: "chain:fills", reason: "data: expected 7 words" },
    { feed: "chain:fills", reason: "its price is not from 0 to 1" },
  ]);
  const inRun = BLOCKS.slice(0, 30).reduce((sum, { fills }) => sum + fills.length, 0);
  expect((await ingest.state()).entries).toHaveLength(inRun - 3);
  expect(await checkpoint(pool)).toMatchObject({ nextBlock: FIRST + 30, stored: inRun - 3 });
});

test("an entry that contradicts the chain is quarantined and stays", async () => {
  const { pool, ingest } = await aLedger();
  for (const feed of ["all", "takers"] as const) await ingest.apply(feed, feedPageOf(BLOCKS, feed));
  await pool.query(
    "update ledger_entries set shares_micro = shares_micro + 1 where id = (select min(id) from ledger_entries)",
  );
  const before = await ingest.state();
  await runToEnd({ pool });
  const after = await ingest.state();
  expect(after.entries).toEqual(before.entries);
  expect(after.quarantined).toMatchObject([{ feed: "chain:fills" }]);
});
