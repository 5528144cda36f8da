import type { Pool } from "@neondatabase/serverless";
import { eq, isNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { ingestCheckpoints, largeTrades, traderSyncs } from "../../../../src/db/schema.ts";
import { judgeTrades } from "../../../../src/ingest/signals/judge-trades.ts";
import { countMessages } from "../../../support/database/count-messages.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { aTakerTrade } from "../../../support/seed/fills.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const AT = "2026-11-20T12:00:00Z";
const NOW = new Date("2026-11-20T12:01:00Z");

let db: Database;
let pool: Pool;

beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
  const early = { trader: await aSeededTrader(db), market: await aMarket(db) };
  await aTakerTrade(db, { ...early, at: "2026-10-01T00:00:00Z", judgedAt: new Date("2026-10-01T00:01:00Z") });
  await db.insert(ingestCheckpoints).values({ feed: "trades:takers", state: { watermarkMs: Date.parse(AT) } });
  // Opens the session.
  await judge();
});

const judge = () => judgeTrades(pool, 5_000, NOW);

/** Large trades of as many traders, each the only trade of its market. */
async function aTradeOfEach(traders: number) {
  for (let n = 0; n < traders; n++) {
    const market = await aMarket(db, { hydratedAt: NOW, providerCreatedAt: new Date("2026-11-01T00:00:00Z") });
    const trader = await aSeededTrader(db, { completeAt: NOW });
    await db.update(traderSyncs).set({ coveredTo: NOW }).where(eq(traderSyncs.traderId, trader.id));
    await aTakerTrade(db, { trader, market, shares: 100_000, at: AT });
  }
}

test("a run without due trades takes two round trips", async () => {
  expect(await countMessages(judge)).toBe(2);
});

/*
 * The list; counts of entries beside histories; sums of shares; fills; the end of the snapshot. Then scores, and flags and
 * events with the commit.
 */
test("a due trade takes seven round trips", async () => {
  await aTradeOfEach(1);
  expect(await countMessages(judge)).toBe(7);
});

test("due trades of 40 traders in 40 markets take nine round trips: one more for counts and one more for fills", async () => {
  await aTradeOfEach(40);
  expect(await countMessages(judge)).toBe(9);
  expect(await db.select().from(largeTrades).where(isNull(largeTrades.judgedAt))).toEqual([]);
  const judged = await db.select().from(largeTrades).where(eq(largeTrades.judgedAt, NOW));
  // All of the market (40) and 60 ln(10) / ln(200); half of it and half of 100 for the first trade of its trader: 83.
  const whole = { share: 1, score: 83 };
  expect(judged.map((trade) => ({ share: Number(trade.marketVolumeShare), score: trade.suspicionScore }))).toEqual(
    Array.from({ length: 40 }, () => whole),
  );
});
