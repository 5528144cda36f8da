import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { hasStaleOutcomeAfter } from "../../../src/ingest/ledger/value-positions.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

test("the search for a further stale outcome reads none of those that are valued at their price", async () => {
  const { db } = await createTestDatabase();
  await db.execute(
    sql`insert into markets (condition_id, title) select 'market-' || n, '' from generate_series(1, 3000) n`,
  );
  await db.execute(sql`insert into outcomes (token_id, market_id, outcome_index, label, best_bid, best_ask, valued_price)
    select 'token-' || id, id, 0, 'Yes', 0.4, 0.4, 0.4 from markets`);
  await db.execute(
    sql`update outcomes set valued_price = 0.3 where token_id in (select token_id from outcomes order by id limit 40)`,
  );
  await vacuumTables(db);
  const { rows } = await db.execute(
    sql`select id from outcomes where mark_price is distinct from valued_price order by id`,
  );
  expect(rows).toHaveLength(40);
  const readAfter = async (id: number) =>
    rowsRead(await readsOf(db, "outcomes", (explaining) => hasStaleOutcomeAfter(explaining, id)));
  expect(await readAfter(0)).toBe(1);
  expect(await readAfter(Number(rows.at(-1)?.["id"]))).toBe(0);
});
