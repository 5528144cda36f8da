import type { Pool } from "@neondatabase/serverless";
import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { recordFillLogs } from "../../../../src/ingest/chain/record-fill-logs.ts";
import { recordFills } from "../../../../src/ingest/chain/record-fills.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openGeneratedChain } from "../../../support/ingest/chain-under-test.ts";
import { fillLogsOf, readFillLogs } from "../../../support/ingest/fill-logs.ts";
import { LARGE_TRADE_MIN_USD, openIngest } from "../../../support/ingest/ingest-under-test.ts";
import {
  feedPageOf,
  generateBlocks,
  generatedMarkets,
  type GeneratedBlock,
} from "../../../support/providers/generated-chain.ts";
import { isOrderFilled, type NodeBehaviour } from "../../../support/providers/generated-node.ts";

const FIRST = 90_000_000;
const BLOCKS = generateBlocks(5, FIRST, 40);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

async function aLedger(blocks = BLOCKS) {
  const pool = database.openPool();
  const ingest = await openIngest(pool);
  await applyMarkets(pool, generatedMarkets(), [], new Date(0));
  const steps = {
    feed: async () => {
      for (const feed of ["all", "takers"] as const) await ingest.apply(feed, feedPageOf(blocks, feed));
    },
    fills: async () => {
      const settings = {
        rowIds: new RowIdCache(),
        largeTradeMinUsd: LARGE_TRADE_MIN_USD,
        provider: null,
        now: () => 0,
      };
      await recordFills(pool, await readFills(blocks), settings);
    },
    logs: async () => recordLogs(pool, await readFills(blocks)),
  };
  return { pool, ingest, steps };
}

async function readFills(blocks: readonly GeneratedBlock[], behaviour: NodeBehaviour = {}) {
  const { chain } = await openGeneratedChain(blocks, behaviour);
  return (await chain.readFills({ from: FIRST, to: FIRST + blocks.length - 1 })).fills;
}

const recordLogs = (pool: Pool, fills: Parameters<typeof recordFillLogs>[1]) =>
  inTransaction(pool, (session) => recordFillLogs(session, fills));

const versions = async (pool: Pool) =>
  (await pool.query("select entry_id, xmin::text from fill_logs order by entry_id")).rows;

describe("the log of a fill", () => {
  test("the generated fills include equal ones of one transaction", () => {
    expect(BLOCKS.some(({ fills }) => new Set(fills).size < fills.length)).toBe(true);
  });

  test.each([
    "feed logs",
    "fills logs",
    "feed logs fills feed logs",
    "fills logs feed logs",
    "logs fills feed logs",
    "logs feed logs logs",
  ])("is the same after the steps %s", async (names) => {
    const { pool, steps } = await aLedger();
    for (const name of names.split(" ")) await steps[name as keyof typeof steps]();
    expect(await readFillLogs(pool)).toEqual(fillLogsOf(BLOCKS));
  });

  test("is written once", async () => {
    const { pool, steps } = await aLedger();
    await steps.feed();
    await steps.logs();
    const before = await versions(pool);
    expect(before).toHaveLength(BLOCKS.reduce((sum, { fills }) => sum + fills.length, 0));
    await steps.logs();
    await steps.feed();
    await steps.logs();
    expect(await versions(pool)).toEqual(before);
  });

  test("is stored for the fills that the ledger has, and for the others once it has them", async () => {
    const { pool, ingest, steps } = await aLedger();
    await ingest.apply("takers", feedPageOf(BLOCKS, "takers"));
    await steps.logs();
    const takers = fillLogsOf(BLOCKS).filter(({ log, matched }) => matched === log + 1);
    expect(await readFillLogs(pool)).toEqual(takers);
    await steps.feed();
    await steps.logs();
    expect(await readFillLogs(pool)).toEqual(fillLogsOf(BLOCKS));
  });

  test("is replaced by that of another block", async () => {
    const { pool, steps } = await aLedger();
    await steps.feed();
    await steps.logs();
    const moved = (await readFills(BLOCKS)).map((fill) => ({ ...fill, blockNumber: fill.blockNumber + 1 }));
    await recordLogs(
      pool,
      moved.map((fill) => ({ ...fill, ordersMatched: null })),
    );
    const expected = fillLogsOf(BLOCKS).map((row) => ({ ...row, block: row.block + 1 }));
    expect(await readFillLogs(pool)).toEqual(expected.map((row) => ({ ...row, matched: null, exchange: null })));
    await recordLogs(pool, moved);
    expect(await readFillLogs(pool)).toEqual(expected);
  });
});

describe("the OrdersMatched event", () => {
  const without: NodeBehaviour = { changeLogs: (logs) => logs.filter(isOrderFilled) };

  test("that a node leaves out is unknown, and filled in later", async () => {
    const { pool, steps } = await aLedger();
    await steps.feed();
    await recordLogs(pool, await readFills(BLOCKS, without));
    const unknown = fillLogsOf(BLOCKS).map((row) => ({ ...row, matched: null, exchange: null }));
    expect(await readFillLogs(pool)).toEqual(unknown);
    await steps.logs();
    expect(await readFillLogs(pool)).toEqual(fillLogsOf(BLOCKS));
  });

  test("that is known stays when a node leaves it out", async () => {
    const { pool, steps } = await aLedger();
    await steps.feed();
    await steps.logs();
    await recordLogs(pool, await readFills(BLOCKS, without));
    expect(await readFillLogs(pool)).toEqual(fillLogsOf(BLOCKS));
  });

  test("of two taker orders in one transaction is that of each order's fills", async () => {
    const merged = BLOCKS.map((block) => ({
      ...block,
      fills: block.fills.map((fill) => ({ ...fill, txHash: block.fills[0]?.txHash ?? "" })),
    }));
    const orders = merged.map(({ fills }) => new Set(fills.filter(({ isTaker }) => isTaker)).size);
    expect(Math.max(...orders)).toBe(3);
    const { pool, steps } = await aLedger(merged);
    await steps.feed();
    await steps.logs();
    expect(await readFillLogs(pool)).toEqual(fillLogsOf(merged));
  });

  test("of a maker's order that many transactions fill is that of each transaction", async () => {
    const [first] = BLOCKS.flatMap(({ fills }) => fills);
    const taker = BLOCKS.flatMap(({ fills }) => fills).find(({ isTaker }) => isTaker);
    if (first === undefined || taker === undefined) throw new Error("the generated blocks have no fills");
    const blocks = BLOCKS.map((block) => {
      const txHash = block.fills[0]?.txHash;
      if (txHash === undefined) return block;
      return {
        ...block,
        fills: [first, first, { ...taker, sharesMicro: 2n * first.sharesMicro }].map((fill) => ({ ...fill, txHash })),
      };
    });
    const { pool, steps } = await aLedger(blocks);
    await steps.feed();
    await steps.logs();
    const rows = await readFillLogs(pool);
    expect(rows).toEqual(fillLogsOf(blocks));
    expect(rows.length).toBeGreaterThan(60);
  });
});
