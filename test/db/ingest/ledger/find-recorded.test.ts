import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { renderSql } from "../../../../src/db/sql.ts";
import { findRecorded } from "../../../../src/ingest/ledger/load-positions.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

/** 40,000 entries of a thousand traders in a thousand outcomes, and 2,000 of trader 1 in outcome 1. */
async function aBusyPosition() {
  const pool = (await createTestDatabase()).openPool();
  await pool.query(
    `insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
     select sha256(n::text::bytea), trader, outcome, outcome, case n % 3 when 0 then 'sell' else 'buy' end, n, 0, n, 0.5,
       timestamptz '2025-10-09 00:00:00Z' + n * interval '1 second'
     from generate_series(1, 42000) n
     cross join lateral (select case when n <= 2000 then 1 else 2 + (n * 7919) % 1000 end as trader,
       case when n <= 2000 then 1 else 2 + (n * 10471) % 997 end as outcome) position`,
  );
  await pool.query("analyze ledger_entries");
  return pool;
}

const { sql: LOOKUP } = renderSql(sql`
  select r.ord, found.id
  from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::smallint[])
    with ordinality as r(tx_hash, trader_id, outcome_id, kind, shares_micro, ordinal, ord)
  left join lateral (${findRecorded(sql`r`)}) found on true order by r.ord`);

test("an entry is found by its whole identity", async () => {
  const pool = await aBusyPosition();
  const hash = (text: string) => createHash("sha256").update(text).digest();
  // The first one is recorded. Each of the others differs from it in one field.
  const columns: [Buffer[], number[], number[], string[], number[], number[]] = [[], [], [], [], [], []];
  const right = [hash("17"), 1, 1, "buy", 17, 0] as const;
  const wrong = [hash("18"), 2, 2, "sell", 18, 1] as const;
  for (let different = -1; different < right.length; different++)
    columns.forEach((column, index) => (column as unknown[]).push((index === different ? wrong : right)[index]));
  const { rows } = await pool.query<{ id: string | null }>(LOOKUP, columns);
  const { rows: entries } = await pool.query<{ id: string }>(`select id from ledger_entries where shares_micro = 17`);
  expect(rows.map(({ id }) => id)).toEqual([entries[0]?.id, null, null, null, null, null, null]);
});

test("the look-up of an entry reads the entries of its transaction, not those of its position", async () => {
  const pool = await aBusyPosition();
  await pool.query("set plan_cache_mode = force_generic_plan");
  await pool.query(`prepare lookup (bytea[], bigint[], bigint[], text[], bigint[], smallint[]) as ${LOOKUP}`);
  const { rows } = await pool.query<{ "QUERY PLAN": string }>(
    `explain (costs off) execute lookup (array['\\x00'::bytea], array[1], array[1], array['buy'], array[1], array[0])`,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("ledger_entries_identity");
  expect(plan).not.toContain("ledger_entries_position");
});
