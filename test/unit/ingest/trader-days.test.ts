import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { applyMarkets } from "../../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../../src/ingest/apply-resolutions.ts";
import type { ActivityType } from "../../../src/ports/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { openIngest } from "../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../support/ingest/markets.ts";
import { aTrade, anActivity, asActivity, conditionOf, pageOf, walletOf } from "../../support/ingest/trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** Noon of the first three UTC days of October 2025. */
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((day) => Date.UTC(2025, 9, day, 12) / 1000) as [number, number, number];
const DAYS = { first: "2025-10-01", second: "2025-10-02", third: "2025-10-03" };

async function oneWallet() {
  const pool = database.openPool();
  const { apply, applyActivity, state } = await openIngest(pool);
  await inTransaction(pool, (session) => applyMarkets(session, [aProviderMarket(1)], [], new Date(0)));
  return {
    pool,
    apply,
    applyActivity,
    buy: (n: number, atSeconds: number, price: string) => apply("all", pageOf([aTrade({ n, atSeconds, price })])),
    sell: (n: number, atSeconds: number, price: string) => apply("all", pageOf([aTrade({ n, side: "SELL", atSeconds, price })])),
    resolve: (firstPpm: number | null, atSeconds: number | null) =>
      inTransaction(pool, (session) =>
        applyResolutions(
          session,
          [conditionOf(1)],
          [aResolution(1, firstPpm, atSeconds === null ? null : new Date(atSeconds * 1000))],
          [],
          new Date(0),
        ),
      ),
    /** One figure by day, as far as it is not 0. */
    async byDay(figure: string): Promise<Record<string, unknown>> {
      const { days } = await state();
      return Object.fromEntries(days.filter((row) => String(row[figure]) !== "0").map((row) => [String(row["day"]), row[figure]]));
    },
    async dayCount() {
      return (await state()).days.length;
    },
    async today(): Promise<string> {
      const { rows } = await pool.query<{ today: string }>("select (now() at time zone 'UTC')::date::text as today");
      return rows[0]?.today ?? "";
    },
  };
}

// Trades are of ten shares.
describe("trades", () => {
  test("count on their UTC day, to its last second", async () => {
    const { apply, byDay } = await oneWallet();
    const midnight = Date.UTC(2025, 9, 2) / 1000;
    await apply(
      "all",
      pageOf([aTrade({ n: 2, atSeconds: midnight, price: "0.3" }), aTrade({ n: 1, atSeconds: midnight - 1, price: "0.2" })]),
    );
    expect(await byDay("volume_micro")).toEqual({ [DAYS.first]: "2000000", [DAYS.second]: "3000000" });
    expect(await byDay("entry_count")).toEqual({ [DAYS.first]: 1, [DAYS.second]: 1 });
  });

  test("that arrive late change what later sales realized on the days of those sales", async () => {
    const { buy, sell, byDay } = await oneWallet();
    await buy(2, SECOND, "0.6");
    await sell(3, THIRD, "0.7");
    expect(await byDay("realized_micro")).toEqual({ [DAYS.third]: "1000000" });
    // 20 shares cost 8, so the sale of 10 for 7 realized 3.
    await buy(1, FIRST, "0.2");
    expect(await byDay("realized_micro")).toEqual({ [DAYS.third]: "3000000" });
    expect(await byDay("volume_micro")).toEqual({ [DAYS.first]: "2000000", [DAYS.second]: "6000000", [DAYS.third]: "7000000" });
  });

  test("whose fee is told later have it on the day of the trade, once", async () => {
    const { apply, applyActivity, byDay } = await oneWallet();
    const trade = aTrade({ n: 1, atSeconds: FIRST });
    await apply("all", pageOf([aTrade({ n: 2, atSeconds: SECOND }), trade]));
    for (let times = 0; times < 2; times++) await applyActivity(walletOf(1), pageOf([asActivity({ ...trade, feeMicro: 12_345n })]));
    expect(await byDay("fees_micro")).toEqual({ [DAYS.first]: "12345" });
  });
});

describe("results of held shares", () => {
  test("count on the day the provider says the market resolved, and move with it", async () => {
    const { buy, resolve, byDay, dayCount } = await oneWallet();
    await buy(1, FIRST, "0.4");
    await resolve(1_000_000, SECOND);
    expect(await byDay("settled_micro")).toEqual({ [DAYS.second]: "6000000" });
    await resolve(1_000_000, THIRD);
    expect(await byDay("settled_micro")).toEqual({ [DAYS.third]: "6000000" });
    await resolve(0, SECOND);
    expect(await byDay("settled_micro")).toEqual({ [DAYS.second]: "-4000000" });
    await resolve(null, null);
    expect(await byDay("settled_micro")).toEqual({});
    // A day on which nothing is left has no row.
    expect(await dayCount()).toBe(1);
  });

  test("that become known after the market settled count on the day it did", async () => {
    const { buy, resolve, byDay } = await oneWallet();
    await resolve(1_000_000, SECOND);
    await buy(1, FIRST, "0.4");
    await buy(2, THIRD, "0.9");
    expect(await byDay("settled_micro")).toEqual({ [DAYS.second]: "7000000" });
  });

  test("count on the day the payouts were read when the provider gives no time, until it gives one or pays otherwise", async () => {
    const { pool, buy, resolve, byDay, today } = await oneWallet();
    await buy(1, FIRST, "0.4");
    await resolve(1_000_000, null);
    expect(await byDay("settled_micro")).toEqual({ [await today()]: "6000000" });

    // As if that had been read two days earlier.
    const daysAgo = (await pool.query<{ day: string }>("update markets set settled_on = settled_on - 2 returning settled_on::text as day"))
      .rows;
    await pool.query("update trader_days set day = day - 2 where settled_micro <> 0");
    const readOn = daysAgo[0]?.day ?? "";
    await pool.query("update markets set resolution_status = 'proposed'");
    await resolve(1_000_000, null);
    expect(await byDay("settled_micro")).toEqual({ [readOn]: "6000000" });
    await resolve(1_000_000, SECOND);
    expect(await byDay("settled_micro")).toEqual({ [DAYS.second]: "6000000" });
    await resolve(500_000, null);
    expect(await byDay("settled_micro")).toEqual({ [await today()]: "1000000" });
  });
});

test.each<[ActivityType, Record<string, string>]>([
  ["MAKER_REBATE", { rebates_micro: "250000" }],
  ["TAKER_REBATE", { rebates_micro: "250000" }],
  ["REWARD", { rewards_micro: "250000" }],
  ["YIELD", { rewards_micro: "250000" }],
  ["REFERRAL_REWARD", { rewards_micro: "250000" }],
  ["REDEEM", {}],
  ["DEPOSIT", {}],
])("a %s counts once, on its day and in the total, as what it is", async (type, expected) => {
  const { applyActivity, pool } = await oneWallet();
  const page = pageOf([anActivity(type, { n: 1, market: null, usdMicro: 250_000n, atSeconds: SECOND })]);
  for (let times = 0; times < 2; times++) await applyActivity(walletOf(1), page);
  const columns = "realized_micro, settled_micro, fees_micro, rebates_micro, rewards_micro, volume_micro, entry_count";
  const nothing = { ...NO_FIGURES };
  const days = (await pool.query(`select day::text, ${columns} from trader_days`)).rows;
  const totals = (await pool.query(`select ${columns} from trader_totals`)).rows;
  const counts = Object.keys(expected).length > 0;
  expect(days).toEqual(counts ? [{ day: DAYS.second, ...nothing, ...expected }] : []);
  expect(totals).toEqual(counts ? [{ ...nothing, ...expected }] : []);
});

const NO_FIGURES = {
  realized_micro: "0",
  settled_micro: "0",
  fees_micro: "0",
  rebates_micro: "0",
  rewards_micro: "0",
  volume_micro: "0",
  entry_count: 0,
};
