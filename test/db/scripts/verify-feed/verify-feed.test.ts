import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Pool } from "@neondatabase/serverless";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { verifyFeed } from "../../../../scripts/verify-feed/verify-feed.ts";
import { inTransaction, sessionOf } from "../../../../src/db/client.ts";
import { recordFillLogs } from "../../../../src/ingest/chain/record-fill-logs.ts";
import { saveCheckpoint } from "../../../../src/ingest/feeds/checkpoints.ts";
import { NEW_FEED } from "../../../../src/ingest/feeds/trade-walk-state.ts";
import { systemClock } from "../../../../src/lib/timing/clock.ts";
import { openChain } from "../../../../src/providers/polygon/open-chain.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openGeneratedChain } from "../../../support/ingest/chain-under-test.ts";
import { fillLogsOf, readFillLogs } from "../../../support/ingest/fill-logs.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { feedPageOf, generateBlocks } from "../../../support/providers/generated-chain.ts";
import { startGeneratedNode, type NodeBehaviour } from "../../../support/providers/generated-node.ts";

const FIRST = 90_000_000;
// The ledger also has fills before and after the verified blocks.
const BLOCKS = generateBlocks(5, FIRST, 80);
// Block 71 has the second of block 70, as has every fourth.
const RANGE = { from: FIRST + 11, to: FIRST + 70 };
const INSIDE = BLOCKS.filter(({ number }) => number >= RANGE.from && number <= RANGE.to);
const FILLS = INSIDE.reduce((sum, { fills }) => sum + fills.length, 0);
const LAST_MS = (BLOCKS.at(-1)?.second ?? 0) * 1000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** The ledger after ingest has read both feeds of the generated blocks. */
async function anIngestedLedger(watermarkMs = LAST_MS) {
  const pool = database.openPool();
  const ingest = await openIngest(pool);
  await ingest.apply("all", feedPageOf(BLOCKS, "all"));
  await ingest.apply("takers", feedPageOf(BLOCKS, "takers"));
  for (const feed of ["trades:all", "trades:takers"])
    await saveCheckpoint(sessionOf(pool), feed, { ...NEW_FEED, watermarkMs });
  return pool;
}

async function aNode(behaviour: NodeBehaviour = {}) {
  const node = await startGeneratedNode(BLOCKS, behaviour);
  onTestFinished(() => node.stop());
  return node;
}

async function verify(pool: Pool, behaviour: NodeBehaviour = {}, range = RANGE) {
  const { url } = await aNode(behaviour);
  const chain = openChain({
    url,
    fetch: (address, init) => fetch(address, init),
    clock: systemClock,
    random: () => 0,
    timeoutMs: 5_000,
    blocksPerCall: 25,
    concurrency: 4,
  });
  const lines: string[] = [];
  const verification = await verifyFeed(chain, pool, {
    range,
    confirmations: 64,
    record: null,
    onDifference: ({ kind }) => lines.push(kind),
    onUnreadable: ({ reason }) => lines.push(reason),
    onUnrecorded: ({ reason }) => lines.push(reason),
  });
  return { ...verification, lines };
}

test("the ledger that ingest wrote from the feed equals the chain", async () => {
  expect(FILLS).toBeGreaterThan(150);
  expect(await verify(await anIngestedLedger())).toMatchObject({
    blocks: 60,
    chainFills: FILLS,
    ledgerFills: FILLS,
    differences: {},
    unreadable: 0,
    lines: [],
  });
});

test("an edge inside a second counts the fills of its own blocks alone", async () => {
  const client = await anIngestedLedger();
  // Block 2 of every four begins the second that block 3 shares.
  for (const [from, to] of [
    [FIRST + 11, FIRST + 14],
    [FIRST + 10, FIRST + 10],
    [FIRST + 11, FIRST + 11],
    [FIRST + 12, FIRST + 12],
  ] as const) {
    const fills = BLOCKS.filter(({ number }) => number >= from && number <= to).flatMap((block) => block.fills);
    expect(await verify(client, {}, { from, to })).toMatchObject({ chainFills: fills.length, lines: [] });
  }
});

/** An entry of the verified blocks that is not in their first or last second. */
const ONE = `(select id from ledger_entries where traded_at > to_timestamp(${BLOCKS[12]?.second}) and traded_at < to_timestamp(${BLOCKS[60]?.second}) and role = 'taker' order by id limit 1)`;

test.each([
  ["a lost fill", `delete from ledger_entries where id = ${ONE}`, ["missing_in_ledger"]],
  [
    "an invented fill",
    `insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
     select sha256('invented'), trader_id, outcome_id, market_id, kind, shares_micro, 0, usd_micro, price, traded_at from ledger_entries where id = ${ONE}`,
    ["missing_on_chain"],
  ],
  [
    "a fill recorded twice",
    `insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, role, traded_at)
     select tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, 9, usd_micro, price, role, traded_at from ledger_entries where id = ${ONE}`,
    ["missing_on_chain"],
  ],
  ["other shares", `update ledger_entries set shares_micro = shares_micro + 1 where id = ${ONE}`, ["shares"]],
  ["other dollars", `update ledger_entries set usd_micro = usd_micro + 10 where id = ${ONE}`, ["usd"]],
  ["a wrong fee", `update ledger_entries set fee_micro = 999999999 where id = ${ONE}`, ["fee"]],
  ["a missing role", `update ledger_entries set role = null where id = ${ONE}`, ["role"]],
  [
    "a time outside the blocks",
    `update ledger_entries set traded_at = traded_at + interval '1 hour' where id = ${ONE}`,
    ["time"],
  ],
  ["another kind of entry", `update ledger_entries set kind = 'split' where id = ${ONE}`, ["missing_in_ledger"]],
])("the verification of the feed finds %s", async (_, change, kinds) => {
  const client = await anIngestedLedger();
  await client.query(change);
  const { lines, differences } = await verify(client);
  expect(lines).toEqual(kinds);
  expect(differences).toEqual({ [kinds[0] ?? ""]: 1 });
});

test("the verification of the feed compares the log indexes that the ledger has", async () => {
  const pool = await anIngestedLedger();
  expect(await verify(pool)).toMatchObject({ knownLogs: 0, lines: [] });
  const { chain } = await openGeneratedChain(BLOCKS);
  const { fills } = await chain.readFills(RANGE);
  await inTransaction(pool, (session) => recordFillLogs(session, fills));
  expect(await verify(pool)).toMatchObject({ knownLogs: FILLS, lines: [] });
  await pool.query(`update fill_logs set log_index = log_index + 1 where entry_id = ${ONE}`);
  expect(await verify(pool)).toMatchObject({ knownLogs: FILLS, lines: ["log"], differences: { log: 1 } });
});

test("a log that cannot be decoded is reported and its fill is missing on the chain", async () => {
  const client = await anIngestedLedger();
  const second = (number: number) => BLOCKS.find((block) => block.number === number)?.second;
  const { number = 0 } =
    INSIDE.find(
      (block) =>
        block.fills.length > 0 && ![block.number - 1, block.number + 1].some((n) => second(n) === block.second),
    ) ?? {};
  const { lines } = await verify(
    client,
    { changeLogs: (logs) => logs.map((log, index) => (index === 0 ? { ...log, data: "0x" } : log)) },
    { from: number, to: number },
  );
  expect(lines.toSorted()).toEqual(["data: expected 7 words", "missing_on_chain"]);
});

describe("what cannot be compared is not compared", () => {
  test.each([
    ["a node of another chain", { chainId: 1 }, LAST_MS, "The node is of chain 1"],
    ["too few confirmations", { confirmations: 50 }, LAST_MS, "Verify up to 90000065."],
    [
      "blocks after the feed's watermark",
      {},
      (INSIDE.at(-1)?.second ?? 0) * 1000 - 1,
      "has been read up to 2026-10-20",
    ],
    ["a feed that was never read to its end", {}, null, "has not been read to its end yet"],
  ])("%s", async (_, behaviour, watermarkMs, message) => {
    const client = await anIngestedLedger(watermarkMs as number);
    await expect(verify(client, behaviour)).rejects.toThrow(message);
  });
});

describe("the command", () => {
  async function run(url: string, ...args: string[]) {
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "scripts/verify-feed/main.ts", ...args],
      { env: { ...process.env, DATABASE_URL: database.databaseUrl, CHAIN_RPC_URL: url } },
    );
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
    child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
    const [status] = await once(child, "close");
    return { status, stdout, stderr };
  }
  const RECORD = ["--record", "--large-trade-min-usd", "5000"];
  const BLOCKS_ARGUMENT = `${RANGE.from}..${RANGE.to}`;

  test("exits with 0 for an equal ledger, 1 for differences and 2 when it did not compare", async () => {
    const client = await anIngestedLedger();
    const { url } = await aNode();
    const equal = await run(url, "--blocks", BLOCKS_ARGUMENT);
    expect(equal).toMatchObject({ status: 0, stderr: "" });
    expect(equal.stdout).toContain(
      `${FILLS} fills on the chain, ${FILLS} in the ledger\nwith a log index in the ledger: 0\n`,
    );
    expect(await readFillLogs(client)).toEqual([]);

    await client.query(`delete from ledger_entries where id = ${ONE}`);
    const differing = await run(url, "--blocks", BLOCKS_ARGUMENT);
    expect(differing).toMatchObject({ status: 1, stderr: "" });
    expect(differing.stdout).toMatch(/^missing in the ledger: 0x[0-9a-f]{40} (BUY|SELL) [\d.]+ of \d+ for \$/);
    expect(differing.stdout).toContain("\nmissing in the ledger: 1\n");

    const tooNew = await run(url, "--blocks", `${RANGE.from}..${FIRST + 5_000}`);
    expect(tooNew).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("confirmations") });
    expect(await run(url, "--blocks", "x")).toMatchObject({ status: 2, stdout: "" });
    const empty = BLOCKS.find(({ number, fills }) => number > RANGE.from && fills.length === 0)?.number;
    expect(await run(url, "--blocks", `${empty}..${empty}`)).toMatchObject({
      status: 2,
      stderr: "Not compared: These blocks have no fills.\n",
    });
  });

  test("records what is missing, and names what it cannot record", async () => {
    const client = await anIngestedLedger();
    const { url } = await aNode();
    await client.query(`delete from ledger_entries where id = ${ONE}`);
    // What is missing is recorded, also while the feeds are away, and then equal.
    for (const feed of ["trades:all", "trades:takers"]) await saveCheckpoint(sessionOf(client), feed, NEW_FEED);
    const recorded = await run(url, "--blocks", BLOCKS_ARGUMENT, ...RECORD);
    expect(recorded).toMatchObject({ status: 0, stderr: "" });
    expect(recorded.stdout).toContain("\nrecorded: 1\nmissing in the ledger: 0\n");
    expect(recorded.stdout).toContain(`${FILLS} fills on the chain, ${FILLS} in the ledger`);
    const again = await run(url, "--blocks", BLOCKS_ARGUMENT, ...RECORD);
    expect(again.status).toBe(0);
    expect(again.stdout).not.toContain("recorded");
    expect(again.stdout).toContain(`\nwith a log index in the ledger: ${FILLS}\n`);
    expect(await readFillLogs(client)).toEqual(fillLogsOf(INSIDE));

    await client.query(`update fill_logs set orders_matched_log_index = 9999 where entry_id = ${ONE}`);
    const differing = await run(url, "--blocks", BLOCKS_ARGUMENT, ...RECORD);
    expect(differing).toMatchObject({ status: 0, stderr: "" });
    expect(await readFillLogs(client)).toEqual(fillLogsOf(INSIDE));

    await openIngest(client);
    const unknown = await run(url, "--blocks", BLOCKS_ARGUMENT, ...RECORD, "--lines", "0");
    expect(unknown).toMatchObject({ status: 1, stderr: "" });
    expect(unknown.stdout).toContain(`\nmissing in the ledger: ${FILLS}\n`);
    expect(unknown.stdout).toContain(`\nnot recorded, because the market of its token is not known: ${FILLS}\n`);
    const printed = (await run(url, "--blocks", BLOCKS_ARGUMENT, ...RECORD, "--lines", "3")).stdout;
    expect(printed.match(/^not recorded \(the market of its token is not known\): 0x/gm)).toHaveLength(3);
  });
});
