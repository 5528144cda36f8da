import { spawnSync } from "node:child_process";
import pg from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Difference } from "../../../../scripts/recompute/figures.ts";
import { recompute } from "../../../../scripts/recompute/recompute.ts";
import { digestTables } from "../../../../scripts/soak/digest-tables.ts";
import { randomHistory } from "../../../../scripts/soak/random-history.ts";
import { tell } from "../../../../scripts/soak/random-telling.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 1 });
  // The one difference between the drivers that matters to ingest is how they reach the server.
  await tell(pool as unknown as Parameters<typeof tell>[0], randomHistory(1_000, 7), 1, () => undefined);
  await pool.end();
});

async function connect() {
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const run = async (verify: boolean): Promise<Difference[]> => {
    const found: Difference[] = [];
    const { differences } = await recompute(client, { verify, onDifference: (difference) => found.push(difference) });
    expect(differences).toBe(found.length);
    return found;
  };
  return { client, verify: () => run(true), rewrite: () => run(false) };
}

/** A wallet that has every kind of row. */
const WALLET = "(select min(trader_id) from trader_days where settled_micro <> 0 and realized_micro <> 0)";

test.each([
  [
    "a figure of a position",
    `update positions set cost_micro = cost_micro + 1 where (trader_id, outcome_id) = (select trader_id, min(outcome_id) from positions where trader_id = ${WALLET} group by trader_id)`,
    ["positions cost_micro"],
  ],
  [
    "a settled result that is missing",
    `update positions set settled_micro = null where (trader_id, outcome_id) = (select trader_id, min(outcome_id) from positions where trader_id = ${WALLET} and settled_micro is not null group by trader_id)`,
    ["positions settled_micro"],
  ],
  [
    "what an entry realized",
    `update ledger_entries set realized_micro = realized_micro - 1 where id = (select min(id) from ledger_entries where trader_id = ${WALLET} and realized_micro is not null)`,
    ["ledger_entries realized_micro"],
  ],
  ["a total", `update trader_totals set rewards_micro = rewards_micro + 1 where trader_id = ${WALLET}`, ["trader_totals rewards_micro"]],
  ...["traded", "resolved", "won", "decided"].map((name): [string, string, string[]] => [
    `a count of markets ${name}`,
    `update trader_totals set markets_${name} = markets_${name} + 1 where trader_id = ${WALLET}`,
    [`trader_totals markets_${name}`],
  ]),
  ...["unmatched_positions", "unmatched_usd_micro", "combination_markets", "combination_volume_micro"].map(
    (name): [string, string, string[]] => [
      `what a total leaves out (${name})`,
      `update trader_totals set ${name} = ${name} + 1 where trader_id = ${WALLET}`,
      [`trader_totals ${name}`],
    ],
  ),
  [
    "the time of a total",
    `update trader_totals set last_at = last_at + interval '1 second' where trader_id = ${WALLET}`,
    ["trader_totals last_at"],
  ],
  ["a total that is missing", `delete from trader_totals where trader_id = ${WALLET}`, ["trader_totals row"]],
  [
    "a day that is missing",
    `delete from trader_days where (trader_id, day) = (select trader_id, min(day) from trader_days where trader_id = ${WALLET} group by trader_id)`,
    ["trader_days row"],
  ],
  ["a day of nothing", `insert into trader_days select ${WALLET}, date '1999-12-31', 0, 0, 0, 0, 0, 0, 0`, ["trader_days row"]],
  ["a wallet that did nothing", `insert into trader_totals values (9000000, 1, 0, 0, 0, 0, 0, now(), now(), 0)`, ["trader_totals row"]],
])("%s that is wrong is told, and put right by a rewrite, which changes nothing else", async (_, break_, expected) => {
  const { client, verify, rewrite } = await connect();
  const right = await digestTables(client);
  expect(await verify()).toEqual([]);
  const { rowCount } = await client.query(break_);
  expect(rowCount).toBe(1);

  const told = await verify();
  expect(told.map(({ table, field }) => `${table} ${field}`)).toEqual(expected);
  expect(told[0]?.stored).not.toBe(told[0]?.computed);
  expect(await rewrite()).toEqual(told);
  expect(await verify()).toEqual([]);
  expect(await digestTables(client)).toEqual(right);
});

test("a market whose day of settlement is not that of its resolution is told and put right, with the days that rest on it", async () => {
  const { client, verify, rewrite } = await connect();
  const right = await digestTables(client);
  await client.query(
    "update markets set settled_on = settled_on - 1 where id = (select min(market_id) from positions where settled_micro <> 0)",
  );
  const told = await verify();
  expect(told[0]).toMatchObject({ table: "markets", field: "settled_on" });
  await rewrite();
  expect(await verify()).toEqual([]);
  expect(await digestTables(client)).toEqual(right);
});

test("the command fails when it finds a difference and names it, and succeeds when there is none", async () => {
  const { client } = await connect();
  const run = (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: database.databaseUrl };
    return spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/recompute.ts", ...args], {
      env,
      encoding: "utf8",
    });
  };
  expect(run("--verify")).toMatchObject({ status: 0, stdout: expect.stringContaining(" 0 differences") });
  await client.query(`update trader_totals set volume_micro = -5 where trader_id = ${WALLET}`);
  const failed = run("--verify");
  expect(failed).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^trader_totals trader_id \d+ volume_micro: stored -5, computed \d+$/m),
  });
  expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining("1 differences, put right") });
  expect(run("--verify").status).toBe(0);
});

describe("values", () => {
  const values = `select trader_id, outcome_id, value_micro from positions order by 1, 2`;
  const HELD = `(select trader_id, outcome_id from positions where settled_micro is null and shares_micro > 1000000 order by 1 limit 1)`;

  test("that are wrong are no difference in the ledger, and a rewrite puts them right", async () => {
    const { client, verify, rewrite } = await connect();
    await client.query(`update outcomes set last_trade_price = 0.25; update outcomes set valued_price = mark_price`);
    expect(await rewrite()).toEqual([]);
    const { rows: right } = await client.query(values);
    expect(right.filter(({ value_micro }) => Number(value_micro) > 0).length).toBeGreaterThan(0);
    const { rowCount } = await client.query(`update positions set value_micro = 1 where (trader_id, outcome_id) = ${HELD}`);
    expect(rowCount).toBe(1);
    expect(await verify()).toEqual([]);
    expect(await rewrite()).toEqual([]);
    expect((await client.query(values)).rows).toEqual(right);
  });

  test("of a position that is rewritten are those of its rewritten shares", async () => {
    const { client, rewrite } = await connect();
    await client.query(`update outcomes set last_trade_price = 0.25; update outcomes set valued_price = mark_price`);
    await rewrite();
    const { rows: right } = await client.query(values);
    await client.query(`update positions set shares_micro = shares_micro + 4000000 where (trader_id, outcome_id) = ${HELD}`);
    expect(await rewrite()).toHaveLength(1);
    expect((await client.query(values)).rows).toEqual(right);
  });
});
