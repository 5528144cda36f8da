import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import type { ActivityType } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import {
  aTrade,
  anActivity,
  asActivity,
  conditionOf,
  pageOf,
  walletOf,
} from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** Noon of the first three UTC days of October 2025. */
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((day) => Date.UTC(2025, 9, day, 12) / 1000) as [number, number, number];
const DAYS = { first: "2025-10-01", second: "2025-10-02", third: "2025-10-03" };

async function oneTrader() {
  const pool = database.openPool();
  const { apply, applyActivity, state } = await openIngest(pool);
  await applyMarkets(pool, [aProviderMarket(1)], [], new Date(0));
  return {
    pool,
    apply,
    applyActivity,
    buy: (n: number, atSeconds: number, price: string) => apply("all", pageOf([aTrade({ n, atSeconds, price })])),
    sell: (n: number, atSeconds: number, price: string) =>
      apply("all", pageOf([aTrade({ n, side: "SELL", atSeconds, price })])),
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
    /** The non-zero values of one column, by day. */
    async byDay(figure: string): Promise<Record<string, unknown>> {
      const { days } = await state();
      return Object.fromEntries(
        days.filter((row) => String(row[figure]) !== "0").map((row) => [String(row["day"]), row[figure]]),
      );
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

// Every trade has ten shares.
describe("the days of trades", () => {
  test("a trade counts on its UTC day, up to the day's last second", async () => {
    const { apply, byDay } = await oneTrader();
    const midnight = Date.UTC(2025, 9, 2) / 1000;
    await apply(
      "all",
      pageOf([
        aTrade({ n: 2, atSeconds: midnight, price: "0.3" }),
        aTrade({ n: 1, atSeconds: midnight - 1, price: "0.2" }),
      ]),
    );
    expect(await byDay("volume_micro")).toEqual({ [DAYS.first]: "2000000", [DAYS.second]: "3000000" });
    expect(await byDay("entry_count")).toEqual({ [DAYS.first]: 1, [DAYS.second]: 1 });
  });

  test("a late trade changes the realized profit on the days of later sells", async () => {
    const { buy, sell, byDay } = await oneTrader();
    await buy(2, SECOND, "0.6");
    await sell(3, THIRD, "0.7");
    expect(await byDay("realized_micro")).toEqual({ [DAYS.third]: "1000000" });
    // 20 shares cost 8, so the sell of 10 for 7 realized 3.
    await buy(1, FIRST, "0.2");
    expect(await byDay("realized_micro")).toEqual({ [DAYS.third]: "3000000" });
    expect(await byDay("volume_micro")).toEqual({
      [DAYS.first]: "2000000",
      [DAYS.second]: "6000000",
      [DAYS.third]: "7000000",
    });
  });

  test("a fee that is reported later counts once, on the day of its trade", async () => {
    const { apply, applyActivity, byDay } = await oneTrader();
    const trade = aTrade({ n: 1, atSeconds: FIRST });
    await apply("all", pageOf([aTrade({ n: 2, atSeconds: SECOND }), trade]));
    for (let times = 0; times < 2; times++)
      await applyActivity(walletOf(1), pageOf([asActivity({ ...trade, feeMicro: 12_345n })]));
    expect(await byDay("fees_micro")).toEqual({ [DAYS.first]: "12345" });
  });
});

describe("the days of results", () => {
  test("a result counts on the day on which the market resolved, and moves with that day", async () => {
    const { buy, resolve, byDay, dayCount } = await oneTrader();
    await buy(1, FIRST, "0.4");
    await resolve(1_000_000, SECOND);
    expect(await byDay("settled_micro")).toEqual({ [DAYS.second]: "6000000" });
    await resolve(1_000_000, THIRD);
    expect(await byDay("settled_micro")).toEqual({ [DAYS.third]: "6000000" });
    await resolve(0, SECOND);
    expect(await byDay("settled_micro")).toEqual({ [DAYS.second]: "-4000000" });
    await resolve(null, null);
    expect(await byDay("settled_micro")).toEqual({});
    // A day without any amount has no row.
    expect(await dayCount()).toBe(1);
  });

  test("a result of fills that arrive after the settlement counts on the settlement day", async () => {
    const { buy, resolve, byDay } = await oneTrader();
    await resolve(1_000_000, SECOND);
    await buy(1, FIRST, "0.4");
    await buy(2, THIRD, "0.9");
    expect(await byDay("settled_micro")).toEqual({ [DAYS.second]: "7000000" });
  });

  test("without a resolution time a result counts on the day its payouts were read, until the provider gives a time or other payouts", async () => {
    const { pool, buy, resolve, byDay, today } = await oneTrader();
    await buy(1, FIRST, "0.4");
    await resolve(1_000_000, null);
    expect(await byDay("settled_micro")).toEqual({ [await today()]: "6000000" });

    // As if the payouts had been read two days earlier.
    const daysAgo = (
      await pool.query<{ day: string }>(
        "update markets set settled_on = settled_on - 2 returning settled_on::text as day",
      )
    ).rows;
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
])("a %s counts once, on its day and in the total, in the column of its type", async (type, expected) => {
  const { applyActivity, pool } = await oneTrader();
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
