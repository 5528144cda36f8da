import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { aCombo } from "../../support/seed/combos.ts";
import { aFill } from "../../support/seed/fills.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aSeededTrader } from "../../support/seed/traders/traders.ts";

async function listFills(db: Database): Promise<unknown[]> {
  const { rows } = await db.execute(sql`select * from combo_fills order by entry_id`);
  return rows;
}

test("the trigger records buys and sells of combos", async () => {
  const { db } = await createTestDatabase();
  const trader = await aSeededTrader(db);
  const combo = await aCombo(db);
  const bought = await aFill(db, { trader, market: combo, at: "2026-11-20T12:00:00.750Z", isTaker: true });
  const sold = await aFill(db, { trader, market: combo, side: "SELL", price: "0.96" });
  await aFill(db, { trader, market: combo, kind: "split" });
  await aFill(db, { trader, market: await aMarket(db) });
  await aFill(db, { trader, market: await aMarket(db, { conditionId: `0x03${"1".repeat(62)}` }) });
  const recorded = await listFills(db);
  expect(recorded).toMatchObject([
    { entry_id: String(bought.id), is_buy: true, is_listed: true, shares_micro: "100000000", usd_micro: "50000000" },
    { entry_id: String(sold.id), is_buy: false, is_listed: false },
  ]);
  const { rows } = await db.execute(sql`select traded_at = '2026-11-20T12:00:00Z' as is_cut from combo_fills limit 1`);
  expect(rows).toEqual([{ is_cut: true }]);
});
