import type { Pool } from "@neondatabase/serverless";
import { describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import {
  ProviderRefused,
  ProviderUnavailable,
  type Provider,
  type ProviderActivity,
} from "../../../../src/platform/provider.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import {
  anActivityProvider,
  followTrader,
  syncFollowedTrader,
} from "../../../support/ingest/worlds/followed-trader.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import {
  aFiguresProvider,
  aProviderPosition,
  storedProviderFigures,
  measureProviderFigures,
  MEASURED_AT,
  positionsPage,
  type ProviderFiguresInput,
} from "../../../support/ingest/worlds/measured-trader.ts";
import {
  aTrade,
  anActivity,
  asActivity,
  conditionOf,
  pageOf,
} from "../../../support/ingest/provider/provider-trades.ts";

const fill = (facts: Parameters<typeof aTrade>[0]): ProviderActivity => asActivity({ ...aTrade(facts), feeMicro: 0n });
/** Ten shares of market 1 bought for 5 and sold for 6. */
const SOLD = [fill({ n: 1 }), fill({ n: 2, side: "SELL", price: "0.6", atSeconds: 1_760_000_010 })];
/** Ten shares of market 2, bought for 5 and still open. */
const OPEN = fill({ n: 3, market: 2 });
const HOURS_MS = 3_600_000;

interface DueTrader {
  readonly db: Database;
  readonly pool: Pool;
  readonly traderId: number;
  /** Measures with these provider figures. @returns the trader's row */
  measureWith(
    figures: ProviderFiguresInput,
    at?: Date,
  ): Promise<Awaited<ReturnType<typeof storedProviderFigures>>[number] | undefined>;
}

/**
 * Trader 1 with this activity, a complete history and a due measurement; market 1 has resolved for its first
 * outcome.
 */
async function aDueTrader(activity: readonly ProviderActivity[]): Promise<DueTrader> {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await followTrader(pool, 1);
  const markets = [1, 2].map((market) => aProviderMarket(market));
  await applyMarkets(pool, markets, [], MEASURED_AT);
  await syncFollowedTrader(pool, anActivityProvider(1, [pageOf(activity)], markets), 1, MEASURED_AT);
  await inTransaction(pool, (session) =>
    applyResolutions(session, [conditionOf(1)], [aResolution(1, 1_000_000)], [], MEASURED_AT),
  );
  await pool.query(`insert into provider_figures (trader_id, due_at) select trader_id, '2026-01-01' from trader_syncs`);
  const { rows } = await pool.query<{ id: string }>("select id from traders");
  const traderId = Number(rows[0]?.id);
  return {
    db,
    pool,
    traderId,
    async measureWith(figures, at = MEASURED_AT) {
      await measureProviderFigures(pool, aFiguresProvider(figures), [traderId], at);
      return (await storedProviderFigures(db))[0];
    },
  };
}

const NOTHING_MEASURED = { correctionMicro: null, realizedMicro: null, netMicro: null };

describe("the row of the provider's leaderboard", () => {
  test("a trader's leaderboard row is stored to its last digit with the time of its request", async () => {
    const { measureWith } = await aDueTrader([]);
    expect(
      await measureWith({ standings: [{ pnlUsd: "1105323.0494979997", volumeShares: "9004713.962642" }] }),
    ).toMatchObject({
      allTimePnlUsd: "1105323.0494979997",
      allTimeVolumeShares: "9004713.962642",
      boardAsOf: MEASURED_AT,
    });
  });

  test("a trader that the leaderboard does not rank has a null row, also when it was ranked before", async () => {
    const { measureWith } = await aDueTrader([]);
    await measureWith({ standings: [{ pnlUsd: "5", volumeShares: "7" }] });
    const laterAt = new Date(MEASURED_AT.getTime() + 7 * HOURS_MS);
    expect(await measureWith({}, laterAt)).toMatchObject({
      allTimePnlUsd: null,
      allTimeVolumeShares: null,
      boardAsOf: laterAt,
    });
  });
});

describe("the comparison with the provider's positions", () => {
  test("a market left before it resolved and one with open shares are compared", async () => {
    const { measureWith } = await aDueTrader([...SOLD, OPEN]);
    const open = aProviderPosition({
      market: 2,
      openSharesMicro: 10_000_000n,
      realizedMicro: 0n,
      unrealizedMicro: 4_000_000n,
    });
    const row = await measureWith({
      open: [positionsPage(open)],
      closed: [positionsPage(aProviderPosition({ realizedMicro: 3_000_000n }))],
    });
    // Our result is 1 where the provider's is 3. The open position has no price yet, so the net is unknown.
    expect(row).toMatchObject({
      correctionMicro: -2_000_000n,
      realizedMicro: 1_000_000n,
      netMicro: null,
      marketsMeasured: 2,
      marketsExcluded: 0,
      measuredAt: MEASURED_AT,
      lastError: null,
      enqueuedAt: null,
    });
    expect(row?.dueAt).toEqual(new Date(MEASURED_AT.getTime() + 6 * HOURS_MS));
  });

  test("open shares count in the net at their price", async () => {
    const { pool, measureWith } = await aDueTrader([...SOLD, OPEN]);
    await pool.query(`update positions set value_micro = 7250000 where shares_micro > 0`);
    const open = aProviderPosition({ market: 2, openSharesMicro: 10_000_000n, realizedMicro: 0n });
    // 1 realized, and 2.25 above the cost of 5.
    expect(
      await measureWith({ open: [positionsPage(open)], closed: [positionsPage(aProviderPosition())] }),
    ).toMatchObject({
      correctionMicro: null,
      realizedMicro: 1_000_000n,
      netMicro: 3_250_000n,
    });
  });

  test("shares kept to the end are compared by their row while unredeemed, and afterwards only with a recorded redemption", async () => {
    const bought = [fill({ n: 1 })];
    const won = { realizedMicro: 0n, unrealizedMicro: 5_500_000n, openSharesMicro: 10_000_000n, isRedeemable: true };
    const unredeemed = await aDueTrader(bought);
    expect(await unredeemed.measureWith({ open: [positionsPage(aProviderPosition(won))] })).toMatchObject({
      correctionMicro: -500_000n,
      marketsMeasured: 1,
    });
    const closed = { closed: [positionsPage(aProviderPosition({ realizedMicro: 5_000_000n }))] };
    expect(await (await aDueTrader(bought)).measureWith(closed)).toMatchObject({
      marketsMeasured: 0,
      marketsExcluded: 1,
      ...NOTHING_MEASURED,
    });
    const redeemed = await aDueTrader([...bought, anActivity("REDEEM", { n: 5, atSeconds: 1_760_000_020 })]);
    expect(await redeemed.measureWith(closed)).toMatchObject({
      marketsMeasured: 1,
      correctionMicro: null,
      realizedMicro: 5_000_000n,
    });
  });

  test("splits count as bought shares, and merges remove them", async () => {
    const activity = [
      anActivity("SPLIT", { n: 1, market: 2 }),
      anActivity("MERGE", { n: 2, market: 2, atSeconds: 1_760_000_020 }),
    ];
    const { measureWith } = await aDueTrader(activity);
    const both = ([0, 1] as const).map((outcome) => aProviderPosition({ market: 2, outcome, realizedMicro: 0n }));
    expect(await measureWith({ closed: [positionsPage(...both)] })).toMatchObject({
      marketsMeasured: 1,
      correctionMicro: null,
      realizedMicro: 0n,
    });
  });

  test("a market known to one side only is excluded, and so is one with activity that positions do not follow", async () => {
    const migrated = anActivity("MIGRATION", { n: 9, market: 2, atSeconds: 1_760_000_030 });
    const { measureWith } = await aDueTrader([...SOLD, OPEN, migrated]);
    const open = aProviderPosition({ market: 2, openSharesMicro: 10_000_000n, realizedMicro: 50_000_000n });
    const elsewhere = aProviderPosition({ market: 3, realizedMicro: 70_000_000n });
    const row = await measureWith({
      open: [positionsPage(open)],
      closed: [positionsPage(aProviderPosition({ realizedMicro: 2_000_000n }), elsewhere)],
    });
    expect(row).toMatchObject({ marketsMeasured: 1, marketsExcluded: 2, correctionMicro: -1_000_000n });
  });

  test("activity that positions do not follow also excludes the other markets of its event", async () => {
    const migrated = anActivity("MIGRATION", { n: 9, market: 2, atSeconds: 1_760_000_030 });
    const { pool, measureWith } = await aDueTrader([...SOLD, migrated]);
    const figures = { closed: [positionsPage(aProviderPosition({ realizedMicro: 2_000_000n }))] };
    expect(await measureWith(figures)).toMatchObject({ marketsMeasured: 1, marketsExcluded: 0 });
    await pool.query(
      `with e as (insert into provider_events (slug) values ('both') returning id) update markets set event_id = e.id from e`,
    );
    await pool.query("update provider_figures set due_at = '2026-01-01'");
    expect(await measureWith(figures)).toMatchObject({ marketsMeasured: 0, marketsExcluded: 1, ...NOTHING_MEASURED });
  });

  test("a market with legs of a conversion is excluded, because the provider prices them differently", async () => {
    const { pool, measureWith } = await aDueTrader(SOLD);
    await pool.query(`update ledger_entries set kind = 'convert_out' where kind = 'sell'`);
    expect(
      await measureWith({ closed: [positionsPage(aProviderPosition({ realizedMicro: 9_000_000n }))] }),
    ).toMatchObject({
      marketsMeasured: 0,
      marketsExcluded: 1,
    });
  });

  test("all pages of both lists count, and a repeated unchanged row counts once", async () => {
    const { measureWith } = await aDueTrader([...SOLD, OPEN]);
    const [sold, open] = [
      aProviderPosition({ realizedMicro: 4_000_000n }),
      aProviderPosition({ market: 2, openSharesMicro: 10_000_000n, realizedMicro: 0n }),
    ];
    const row = await measureWith({
      open: [positionsPage(), positionsPage(open)],
      closed: [positionsPage(sold), positionsPage(sold), positionsPage()],
    });
    expect(row).toMatchObject({ marketsMeasured: 2, marketsExcluded: 0, correctionMicro: -3_000_000n });
  });

  test("a market is excluded when its row repeats with other values, because the trader traded during the read", async () => {
    const { measureWith } = await aDueTrader([...SOLD, OPEN]);
    const open = aProviderPosition({ market: 2, openSharesMicro: 10_000_000n, realizedMicro: 0n });
    const left = { ...open, openSharesMicro: 0n };
    const row = await measureWith({ open: [positionsPage(open)], closed: [positionsPage(aProviderPosition(), left)] });
    expect(row).toMatchObject({ marketsMeasured: 1, marketsExcluded: 1 });
  });
});

describe("incomplete measurements", () => {
  const UNMEASURED = { ...NOTHING_MEASURED, marketsMeasured: null, marketsExcluded: null, measuredAt: null };

  test("a trader with more than 5,000 positions is not measured", async () => {
    const { measureWith } = await aDueTrader(SOLD);
    const many = (count: number) =>
      positionsPage(...Array.from({ length: count }, (_, n) => aProviderPosition({ market: 10 + n })));
    const row = await measureWith({
      standings: [{ pnlUsd: "3", volumeShares: null }],
      open: [many(3_000)],
      closed: [many(2_000), many(1)],
    });
    expect(row).toMatchObject({ ...UNMEASURED, lastError: "more than 5000 positions", allTimePnlUsd: "3" });
    expect(row?.dueAt).toEqual(new Date(MEASURED_AT.getTime() + 6 * HOURS_MS));
  });

  test("a trader with a row that does not match its schema is not measured, and the row is quarantined", async () => {
    const { pool, measureWith } = await aDueTrader(SOLD);
    const quarantined = { record: { token_id: "?" }, reason: "token_id: expected a token id" };
    const row = await measureWith({ closed: [{ ...positionsPage(aProviderPosition()), quarantined: [quarantined] }] });
    expect(row).toMatchObject({ ...UNMEASURED, lastError: "1 position rows did not fit their schema" });
    const { rows } = await pool.query("select feed, reason from quarantined_records");
    expect(rows).toEqual([{ feed: "provider_figures", reason: quarantined.reason }]);
  });

  test("a trader with an incomplete history is not measured", async () => {
    const { pool, measureWith } = await aDueTrader(SOLD);
    await pool.query("update trader_syncs set complete_at = null");
    expect(await measureWith({ closed: [positionsPage(aProviderPosition())] })).toMatchObject({
      ...UNMEASURED,
      lastError: "the wallet's history has not been read to its end",
    });
  });
});

describe("provider failures", () => {
  const failing = (error: Error): Provider => ({
    ...aFiguresProvider({}),
    async listPositions() {
      throw error;
    },
  });

  test("a failed measurement keeps the earlier numbers, stores its reason and backs off", async () => {
    const { db, pool, traderId, measureWith } = await aDueTrader(SOLD);
    const before = await measureWith({ closed: [positionsPage(aProviderPosition({ realizedMicro: 2_000_000n }))] });
    const dueIn = async (failedAt: Date) => {
      await expect(
        measureProviderFigures(pool, failing(new ProviderUnavailable("down", 5_000)), [traderId], failedAt),
      ).rejects.toThrow("down");
      const [row] = await storedProviderFigures(db);
      expect(row).toMatchObject({ ...before, lastError: expect.stringContaining("down"), dueAt: expect.any(Date) });
      return (Number(row?.dueAt) - failedAt.getTime()) / 60_000;
    };
    // Due six hours after its measurement: each wait is as long as the failure has lasted, from 10 minutes to
    // 6 hours.
    const after = (hours: number) => new Date(MEASURED_AT.getTime() + hours * HOURS_MS);
    expect(await dueIn(after(6))).toBe(10);
    expect(await dueIn(after(7))).toBe(60);
    expect(await dueIn(after(9))).toBe(180);
    expect(await dueIn(after(30))).toBe(360);
  });

  test("a trader that was never measured is retried after an hour", async () => {
    const { db, pool, traderId } = await aDueTrader(SOLD);
    await expect(
      measureProviderFigures(pool, failing(new ProviderUnavailable("down", null)), [traderId]),
    ).rejects.toThrow();
    expect((await storedProviderFigures(db))[0]?.dueAt).toEqual(new Date(MEASURED_AT.getTime() + HOURS_MS));
  });

  test("a trader that the provider refuses does not prevent measuring the others of the message", async () => {
    const { db, pool, traderId } = await aDueTrader(SOLD);
    const { rows: bad } = await pool.query<{
      trader_id: string;
    }>(`with t as (insert into traders (address) values ('0xbad') returning id)
      insert into provider_figures (trader_id, due_at) select id, '2026-01-01' from t returning trader_id`);
    const figures = aFiguresProvider({ closed: [positionsPage(aProviderPosition())] });
    const provider: Provider = {
      ...figures,
      findAllTimeStats: (address) =>
        address === "0xbad" ? Promise.reject(new ProviderRefused("no")) : figures.findAllTimeStats(address),
    };
    await measureProviderFigures(pool, provider, [Number(bad[0]?.trader_id), traderId]);
    const rows = await storedProviderFigures(db);
    expect(rows.map((row) => [row.marketsMeasured, row.lastError?.includes("no") ?? null])).toEqual([
      [1, null],
      [null, true],
    ]);
  });

  test("an error of our own is rethrown without writing anything", async () => {
    const { db, pool, traderId } = await aDueTrader(SOLD);
    const [before] = await storedProviderFigures(db);
    await expect(measureProviderFigures(pool, failing(new TypeError("ours")), [traderId])).rejects.toThrow("ours");
    expect((await storedProviderFigures(db))[0]).toEqual(before);
  });
});

test("a repeated message requests nothing from the provider", async () => {
  const { db, pool, traderId, measureWith } = await aDueTrader(SOLD);
  await measureWith({ closed: [positionsPage(aProviderPosition())] });
  const [once] = await storedProviderFigures(db);
  const failing: Provider = {
    ...aFiguresProvider({}),
    findAllTimeStats: () => Promise.reject(new Error("requested again")),
  };
  await measureProviderFigures(pool, failing, [traderId, traderId]);
  expect((await storedProviderFigures(db))[0]).toEqual(once);
});
