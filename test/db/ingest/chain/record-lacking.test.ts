import type { Pool } from "@neondatabase/serverless";
import { beforeAll, describe, expect, test } from "vitest";
import { sessionOf } from "../../../../src/db/client.ts";
import { compareFills } from "../../../../src/ingest/chain/compare-fills.ts";
import { listLedgerFills } from "../../../../src/ingest/chain/ledger-fills.ts";
import { recordLacking, type RecordFillsSettings } from "../../../../src/ingest/chain/record-fills.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { ProviderUnavailable } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openGeneratedChain } from "../../../support/ingest/chain-under-test.ts";
import { LARGE_TRADE_MIN_USD, openIngest, type IngestUnderTest } from "../../../support/ingest/ingest-under-test.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { pageOf } from "../../../support/ingest/provider/provider-trades.ts";
import type { StoredState } from "../../../support/ingest/stored-state.ts";
import {
  activityOf,
  feedPageOf,
  generateBlocks,
  generatedMarkets,
  type GeneratedBlock,
} from "../../../support/providers/generated-chain.ts";

const FIRST = 90_000_000;
// Large amounts: a price of ten decimals does not give their dollars to the millionth.
const BLOCKS = generateBlocks(5, FIRST, 40, 40n);
const FILLS = BLOCKS.flatMap(({ fills }) => fills);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const settingsOf = (provider: RecordFillsSettings["provider"] = null): RecordFillsSettings => ({
  rowIds: new RowIdCache(),
  largeTradeMinUsd: LARGE_TRADE_MIN_USD,
  provider,
  now: () => Date.UTC(2026, 9, 21),
});

/** Compares the ledger with the chain and records what it lacks. */
async function recordFromChain(pool: Pool, blocks = BLOCKS, settings = settingsOf()) {
  const { chain } = await openGeneratedChain(blocks);
  const { fills } = await chain.readFills({ from: FIRST, to: FIRST + blocks.length - 1 });
  const ledger = await listLedgerFills(sessionOf(pool), [...new Set(fills.map(({ txHash }) => txHash))], null);
  return recordLacking(pool, fills, compareFills(fills, ledger), settings);
}

type Step = "all" | "takers" | "chain" | "activity";

/** A ledger with known markets, after these steps. */
async function ledgerAfter(...steps: readonly Step[]): Promise<{ pool: Pool; ingest: IngestUnderTest }> {
  const pool = database.openPool();
  const ingest = await openIngest(pool);
  await applyMarkets(pool, generatedMarkets(), [], new Date(0));
  for (const step of steps) {
    if (step === "chain") await recordFromChain(pool);
    else if (step === "activity")
      for (const [address, rows] of activityOf(BLOCKS)) await ingest.applyActivity(address, pageOf(rows));
    else await ingest.apply(step, feedPageOf(BLOCKS, step));
  }
  return { pool, ingest };
}

const stateAfter = async (...steps: readonly Step[]): Promise<StoredState> =>
  (await ledgerAfter(...steps)).ingest.state();

describe("the chain and the feed", () => {
  const readFeedAlone = () => stateAfter("all", "takers");
  const readWithFees = () => stateAfter("all", "takers", "activity");

  test("the generated fills include large trades, equal fills and fees", async () => {
    const [feedAlone, withFees] = [await readFeedAlone(), await readWithFees()];
    expect(feedAlone.entries).toHaveLength(FILLS.length);
    expect(feedAlone.largeTrades.length).toBeGreaterThan(5);
    expect(feedAlone.announced.length).toBe(feedAlone.largeTrades.length);
    expect(feedAlone.entries.some((row) => row["ordinal"] === 1)).toBe(true);
    expect(withFees.entries.some((row) => Number(row["fee_micro"]) > 0)).toBe(true);
    expect(feedAlone.entries.map((row) => row["fee_micro"])).not.toContainEqual(expect.anything());
  });

  test("after the feed, also twice, the chain changes nothing", async () => {
    const feedAlone = await readFeedAlone();
    expect(await stateAfter("all", "takers", "chain")).toEqual(feedAlone);
    expect(await stateAfter("all", "takers", "chain", "all", "takers", "chain")).toEqual(feedAlone);
  });

  test("the chain alone stores what the feed and the traders' activity store together", async () => {
    expect(await stateAfter("chain")).toEqual(await readWithFees());
  });

  test.each([
    "chain all takers",
    "chain takers all",
    "chain chain all takers all takers",
    "chain all takers activity",
    "takers chain all activity",
    "activity chain all takers",
    "all chain takers activity",
  ])("the order %s ends in the same state", async (steps) => {
    expect(await stateAfter(...(steps.split(" ") as Step[]))).toEqual(await readWithFees());
  });
});

test("more fills than a page has are recorded in pages of whole transactions", async () => {
  const blocks = generateBlocks(1, FIRST, 330);
  const fills = blocks.flatMap((block) => block.fills);
  // A page of the first thousand fills would end between two equal ones.
  expect(fills.findIndex((fill) => fill === fills[1_000])).toBeLessThan(1_000);
  const { pool, ingest } = await ledgerAfter();
  expect(await recordFromChain(pool, blocks)).toMatchObject({ added: fills.length, unrecorded: [] });
  const facts = (stored: StoredState) => stored.entries.map(({ fee_micro: _, ...row }) => row);
  const chain = facts(await ingest.state());
  const feed = (await ledgerAfter()).ingest;
  for (const name of ["all", "takers"] as const) await feed.apply(name, feedPageOf(blocks, name));
  expect(chain).toEqual(facts(await feed.state()));
});

test("one of two equal fills that is missing is recorded beside the other", async () => {
  const { pool, ingest } = await ledgerAfter();
  const twice = (block: GeneratedBlock) => ({
    ...block,
    fills: block.fills.filter((fill, index) => block.fills.findIndex((other) => other === fill) === index),
  });
  // The feed separated equal rows, so that the second counted as a repeat.
  await ingest.apply("all", feedPageOf(BLOCKS.map(twice), "all"));
  await ingest.apply("takers", feedPageOf(BLOCKS, "takers"));
  const before = (await ingest.state()).entries.length;
  expect(before).toBeLessThan(FILLS.length);
  expect((await recordFromChain(pool)).added).toBe(FILLS.length - before);
  const state = await ingest.state();
  const facts = (stored: StoredState) => stored.entries.map(({ fee_micro: _, ...row }) => row);
  expect(facts(state)).toEqual(facts(await stateAfter("all", "takers")));
});

test("a taker role that the feed of takers did not show is filled in, with its large trade", async () => {
  const { pool, ingest } = await ledgerAfter("all");
  expect((await ingest.state()).largeTrades).toEqual([]);
  expect(await recordFromChain(pool)).toMatchObject({ added: 0, unrecorded: [] });
  const state = await ingest.state();
  const expected = await stateAfter("all", "takers");
  expect(state.entries.map((row) => row["role"])).toEqual(expected.entries.map((row) => row["role"]));
  expect(state.largeTrades).toEqual(expected.largeTrades);
  expect(state.announced).toEqual(expected.announced);
});

describe("fills of unknown markets", () => {
  async function anEmptyLedger() {
    const pool = database.openPool();
    return { pool, ingest: await openIngest(pool) };
  }

  test("are not recorded without the provider, and named", async () => {
    const { pool, ingest } = await anEmptyLedger();
    const before = await ingest.state();
    const { added, unrecorded } = await recordFromChain(pool);
    expect(added).toBe(0);
    expect(unrecorded.map(({ reason }) => reason)).toEqual(FILLS.map(() => "unknown_market"));
    expect(await ingest.state()).toEqual(before);
  });

  test("are recorded once the provider has described their markets", async () => {
    const { pool, ingest } = await anEmptyLedger();
    const markets = generatedMarkets();
    const provider = aPagedProvider({ takers: [], all: [], activity: {}, markets, resolutions: [] });
    expect(await recordFromChain(pool, BLOCKS, settingsOf(provider))).toMatchObject({
      added: FILLS.length,
      unrecorded: [],
    });
    expect((await ingest.state()).entries).toEqual((await stateAfter("chain")).entries);
  });

  test("do not delay others while the provider is unavailable", async () => {
    const { pool, ingest } = await anEmptyLedger();
    const [known] = generatedMarkets();
    const tokens = new Set(known?.outcomes.map(({ tokenId }) => tokenId));
    await applyMarkets(pool, known === undefined ? [] : [known], [], new Date(0));
    const unavailable = () => Promise.reject(new ProviderUnavailable("gamma.markets: status 503", null));
    const provider = { findTokenMarkets: unavailable, findLegMarkets: unavailable };
    const { added, unrecorded } = await recordFromChain(pool, BLOCKS, settingsOf(provider));
    const expected = FILLS.filter(({ tokenId }) => tokens.has(tokenId));
    expect(expected.length).toBeGreaterThan(5);
    expect(added).toBe(expected.length);
    expect(unrecorded).toHaveLength(FILLS.length - expected.length);
    expect((await ingest.state()).entries).toHaveLength(expected.length);
  });
});

test("a transaction in which the ledger has other shares is left as it is, and named", async () => {
  const { pool, ingest } = await ledgerAfter("all", "takers");
  const tx = FILLS[0]?.txHash.slice(2) ?? "";
  await pool.query(
    `update ledger_entries set shares_micro = shares_micro + 1 where id = (
       select min(id) from ledger_entries where tx_hash = decode($1, 'hex') and role = 'taker')`,
    [tx],
  );
  await pool.query(
    `delete from ledger_entries where id = (
       select min(id) from ledger_entries where tx_hash = decode($1, 'hex') and role is null)`,
    [tx],
  );
  const before = await ingest.state();
  const { added, unrecorded } = await recordFromChain(pool);
  expect(added).toBe(0);
  expect(unrecorded).toMatchObject([{ fill: { txHash: `0x${tx}` }, reason: "differing_transaction" }]);
  expect(await ingest.state()).toEqual(before);
});

test("a fill without a price from 0 to 1 is not recorded, and named", async () => {
  const { pool, ingest } = await ledgerAfter();
  const priced = (block: GeneratedBlock) => ({
    ...block,
    fills: block.fills.map((fill, index) =>
      index === 0 ? { ...fill, usdMicro: fill.sharesMicro + 1n } : index === 1 ? { ...fill, sharesMicro: 0n } : fill,
    ),
  });
  const { added, unrecorded } = await recordFromChain(pool, BLOCKS.map(priced));
  const odd = BLOCKS.reduce((sum, { fills }) => sum + Math.min(2, fills.length), 0);
  expect(unrecorded.map(({ reason }) => reason)).toEqual(Array.from({ length: odd }, () => "no_price"));
  expect(added).toBe(FILLS.length - odd);
  expect((await ingest.state()).entries).toHaveLength(added);
});
