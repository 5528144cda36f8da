import { spawnSync } from "node:child_process";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { COLUMNS, FIGURES_TABLES, type StoredDifference } from "../../../../scripts/recompute/figures.ts";
import { recompute } from "../../../../scripts/recompute/recompute.ts";
import { digestTables } from "../../../../scripts/soak/digest-tables.ts";
import { randomHistory } from "../../../../scripts/soak/random-history.ts";
import { ingestHistory } from "../../../../scripts/soak/ingest-history.ts";
import { connectClient } from "../../../support/database/connect-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 1 });
  // The only difference between the drivers that matters to ingest is how they reach the server.
  await ingestHistory(
    pool as unknown as Parameters<typeof ingestHistory>[0],
    randomHistory(1_000, 7),
    1,
    () => undefined,
  );
  await pool.end();
});

async function connect() {
  const client = await connectClient(database.databaseUrl);
  const run = async (verify: boolean): Promise<StoredDifference[]> => {
    const found: StoredDifference[] = [];
    const { differences } = await recompute(client, { verify, onDifference: (difference) => found.push(difference) });
    expect(differences).toBe(found.length);
    return found;
  };
  return { client, verify: () => run(true), rewrite: () => run(false) };
}

/** A trader with every kind of row. */
const TRADER = "(select min(trader_id) from trader_days where settled_micro <> 0 and realized_micro <> 0)";

test.each([
  [
    "a wrong amount of a position",
    `update positions set cost_micro = cost_micro + 1 where (trader_id, outcome_id) = (select trader_id, min(outcome_id) from positions where trader_id = ${TRADER} group by trader_id)`,
    ["positions cost_micro"],
  ],
  [
    "a missing settled result",
    `update positions set settled_micro = null where (trader_id, outcome_id) = (select trader_id, min(outcome_id) from positions where trader_id = ${TRADER} and settled_micro is not null group by trader_id)`,
    ["positions settled_micro"],
  ],
  [
    "a wrong realized amount of an entry",
    `update ledger_entries set realized_micro = realized_micro - 1 where id = (select min(id) from ledger_entries where trader_id = ${TRADER} and realized_micro is not null)`,
    ["ledger_entries realized_micro"],
  ],
  [
    "a wrong role of a combo's fill",
    `update combo_fills set is_taker = not is_taker where entry_id = (select min(entry_id) from combo_fills)`,
    ["combo_fills is_taker"],
  ],
  [
    "a wrong total",
    `update trader_totals set rewards_micro = rewards_micro + 1 where trader_id = ${TRADER}`,
    ["trader_totals rewards_micro"],
  ],
  ...["traded", "resolved", "won", "decided"].map((name): [string, string, string[]] => [
    `a wrong count of ${name} markets`,
    `update trader_totals set markets_${name} = markets_${name} + 1 where trader_id = ${TRADER}`,
    [`trader_totals markets_${name}`],
  ]),
  ...["unmatched_positions", "unmatched_usd_micro", "combination_markets", "combination_volume_micro"].map(
    (name): [string, string, string[]] => [
      `a wrong excluded amount of a total (${name})`,
      `update trader_totals set ${name} = ${name} + 1 where trader_id = ${TRADER}`,
      [`trader_totals ${name}`],
    ],
  ),
  [
    "a wrong time of a total",
    `update trader_totals set last_at = last_at + interval '1 second' where trader_id = ${TRADER}`,
    ["trader_totals last_at"],
  ],
  ["a missing total", `delete from trader_totals where trader_id = ${TRADER}`, ["trader_totals row"]],
  [
    "a missing day",
    `delete from trader_days where (trader_id, day) = (select trader_id, min(day) from trader_days where trader_id = ${TRADER} group by trader_id)`,
    ["trader_days row"],
  ],
  [
    "a day without amounts",
    `insert into trader_days select ${TRADER}, date '1999-12-31', 0, 0, 0, 0, 0, 0, 0`,
    ["trader_days row"],
  ],
  [
    "a total of an unknown trader",
    `insert into trader_totals (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_at, last_at)
       values (9000000, 1, 0, 0, 0, 0, now(), now())`,
    ["trader_totals row"],
  ],
])("recompute reports %s and corrects only that in a rewrite", async (_, corrupt, expected) => {
  const { client, verify, rewrite } = await connect();
  const right = await digestTables(client);
  expect(await verify()).toEqual([]);
  const { rowCount } = await client.query(corrupt);
  expect(rowCount).toBe(1);

  const reported = await verify();
  expect(reported.map(({ table, field }) => `${table} ${field}`)).toEqual(expected);
  expect(reported[0]?.stored).not.toBe(reported[0]?.computed);
  expect(await rewrite()).toEqual(reported);
  expect(await verify()).toEqual([]);
  expect(await digestTables(client)).toEqual(right);
});

/** Rows whose nullable columns have values. */
const FULL_ROWS = {
  positions: "settled_micro is not null",
  trader_totals: "last_at is not null",
  trader_days: "true",
};

test.each(FIGURES_TABLES.flatMap((table) => COLUMNS[table].map((column) => [table, column] as const)))(
  "recompute reports a wrong value in %s.%s",
  async (table, column) => {
    const { client, verify } = await connect();
    const step = column.endsWith("_at") ? "interval '1 millisecond'" : column.endsWith("_id") ? "1000000" : "1";
    const { rows } = await client.query<{ trader_id: string; tid: string }>(
      `select trader_id, ctid::text as tid from ${table} where ${FULL_ROWS[table]} order by trader_id desc, ctid limit 1`,
    );
    const [row] = rows;
    const change = (sign: string, where: string) =>
      client.query(
        `update ${table} set ${column} = ${column} ${sign} ${step} where ${where} returning ctid::text as tid`,
      );
    const changed = await change("+", `ctid = '${row?.tid}'`);
    const reported = await verify();
    await change("-", `ctid = '${(changed.rows[0] as { tid: string }).tid}'`);
    const isKey = column === "outcome_id" || column === "day";
    const fields = isKey ? ["row", "row"] : [column];
    expect(reported.map(({ table: of, field }) => `${of} ${field}`)).toEqual(
      fields.map((field) => `${table} ${field}`),
    );
    expect(reported[0]?.key).toContain(`trader_id ${row?.trader_id}`);
    expect(await verify()).toEqual([]);
  },
);

test("recompute reports and corrects a wrong settlement day of a market and the days that depend on it", async () => {
  const { client, verify, rewrite } = await connect();
  const right = await digestTables(client);
  await client.query(
    "update markets set settled_on = settled_on - 1 where id = (select min(market_id) from positions where settled_micro <> 0)",
  );
  const reported = await verify();
  expect(reported[0]).toMatchObject({ table: "markets", field: "settled_on" });
  await rewrite();
  expect(await verify()).toEqual([]);
  expect(await digestTables(client)).toEqual(right);
});

test("the recompute command fails with the name of a difference, and succeeds without one", async () => {
  const { client } = await connect();
  const run = (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: database.databaseUrl };
    return spawnSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "scripts/recompute/main.ts", ...args],
      {
        env,
        encoding: "utf8",
      },
    );
  };
  expect(run("--verify")).toMatchObject({ status: 0, stdout: expect.stringContaining(" 0 differences") });
  await client.query(`update trader_totals set volume_micro = -5 where trader_id = ${TRADER}`);
  const failed = run("--verify");
  expect(failed).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^trader_totals trader_id \d+ volume_micro: stored -5, computed \d+$/m),
  });
  expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining("1 differences, repaired") });
  expect(run("--verify").status).toBe(0);
});

describe("recomputed values", () => {
  const values = `select trader_id, outcome_id, value_micro from positions order by 1, 2`;
  const OPEN_POSITION = `(select trader_id, outcome_id from positions where settled_micro is null and shares_micro > 1000000 order by 1 limit 1)`;

  test("wrong values are not a difference in the ledger and are corrected by a rewrite", async () => {
    const { client, verify, rewrite } = await connect();
    await client.query(`update outcomes set last_trade_price = 0.25; update outcomes set valued_price = mark_price`);
    expect(await rewrite()).toEqual([]);
    const { rows: right } = await client.query(values);
    expect(right.filter(({ value_micro }) => Number(value_micro) > 0).length).toBeGreaterThan(0);
    const { rowCount } = await client.query(
      `update positions set value_micro = 1 where (trader_id, outcome_id) = ${OPEN_POSITION}`,
    );
    expect(rowCount).toBe(1);
    expect(await verify()).toEqual([]);
    expect(await rewrite()).toEqual([]);
    expect((await client.query(values)).rows).toEqual(right);
  });

  test("the value of a rewritten position follows its rewritten shares", async () => {
    const { client, rewrite } = await connect();
    await client.query(`update outcomes set last_trade_price = 0.25; update outcomes set valued_price = mark_price`);
    await rewrite();
    const { rows: right } = await client.query(values);
    await client.query(
      `update positions set shares_micro = shares_micro + 4000000 where (trader_id, outcome_id) = ${OPEN_POSITION}`,
    );
    expect(await rewrite()).toHaveLength(1);
    expect((await client.query(values)).rows).toEqual(right);
  });
});
