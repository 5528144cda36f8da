import { beforeEach, expect, test } from "vitest";
import type { Pool } from "@neondatabase/serverless";
import type { Database } from "../../../../src/db/client.ts";
import { providerFigures, traders } from "../../../../src/db/schema.ts";
import { claimDueFigures } from "../../../../src/ingest/provider-figures/due-figures.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { storedProviderFigures } from "../../../support/ingest/worlds/measured-trader.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);

let db: Database;
let pool: Pool;

beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
});

/** A trader of a tier with a complete history, and its due time if it was measured before. */
async function aFollowedTrader(tier: "hot" | "warm" | "cold", dueAt: Date | null): Promise<number> {
  const { id } = await aSeededTrader(db, { completeAt: NOW });
  await pool.query("update traders set tier = $2 where id = $1", [id, tier]);
  if (dueAt !== null) await db.insert(providerFigures).values({ traderId: id, dueAt });
  return id;
}

const enqueued = async (at = NOW) =>
  (await claimDueFigures(pool, at)).flatMap((message) =>
    message.kind === "measure_traders" ? message.trader_ids : [],
  );

test("a trader is due ten minutes after the end of its first sync was noticed, and never without one", async () => {
  const trader = await aFollowedTrader("warm", null);
  await aSeededTrader(db, { isFollowed: true });
  await db.update(traders).set({ tier: "hot" });
  expect(await enqueued()).toEqual([]);
  expect(await enqueued(minutes(9))).toEqual([]);
  expect(await enqueued(minutes(10))).toEqual([trader]);
  expect(await storedProviderFigures(db)).toMatchObject([
    { traderId: trader, dueAt: minutes(10), measuredAt: null, marketsMeasured: null },
  ]);
});

test("hot traders are enqueued first, then the longest due, but no cold trader and none before its time", async () => {
  const [warm, late, soon] = [
    await aFollowedTrader("warm", minutes(-90)),
    await aFollowedTrader("hot", minutes(-5)),
    await aFollowedTrader("hot", minutes(-60)),
  ];
  await aFollowedTrader("hot", minutes(1));
  await aFollowedTrader("cold", minutes(-900));
  await aFollowedTrader("cold", null);
  const ids = await enqueued();
  expect(ids.toSorted()).toEqual([warm, late, soon].toSorted());
  for (let n = 0; n < 19; n++) await aFollowedTrader("hot", minutes(-10));
  await pool.query("update provider_figures set enqueued_at = null");
  // Twenty per run: the warm trader has to wait.
  expect(await enqueued()).not.toContain(warm);
});

test("a trader that was enqueued but not measured is enqueued again after ten minutes", async () => {
  const trader = await aFollowedTrader("hot", minutes(-1));
  expect(await enqueued()).toEqual([trader]);
  expect(await enqueued(minutes(9))).toEqual([]);
  expect(await enqueued(minutes(10))).toEqual([trader]);
});

test("one message contains at most five traders", async () => {
  for (let n = 0; n < 7; n++) await aFollowedTrader("hot", minutes(-1));
  expect(
    (await claimDueFigures(pool, NOW)).map((message) => "trader_ids" in message && message.trader_ids.length),
  ).toEqual([5, 2]);
});
