import type { Pool } from "@neondatabase/serverless";
import { describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/apply-resolutions.ts";
import { ProviderRefused, ProviderUnavailable, type Provider, type ProviderActivity } from "../../../../src/ports/provider.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { anActivityProvider, follow, sync } from "../../../support/ingest/followed-wallet.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/markets.ts";
import {
  aFiguresProvider,
  aProviderPosition,
  figuresOf,
  measure,
  MEASURED_AT,
  positionsPage,
  type Told,
} from "../../../support/ingest/measured-wallet.ts";
import { aTrade, anActivity, asActivity, conditionOf, pageOf } from "../../../support/ingest/trades.ts";

const fill = (facts: Parameters<typeof aTrade>[0]): ProviderActivity => asActivity({ ...aTrade(facts), feeMicro: 0n });
/** Ten shares of market 1 bought for 5 and sold for 6. */
const SOLD = [fill({ n: 1 }), fill({ n: 2, side: "SELL", price: "0.6", atSeconds: 1_760_000_010 })];
/** Ten shares of market 2 bought for 5 and held. */
const HELD = fill({ n: 3, market: 2 });
const HOURS_MS = 3_600_000;

interface Measured {
  readonly db: Database;
  readonly pool: Pool;
  readonly traderId: number;
  /** Its row after the provider told this. */
  tell(told: Told, at?: Date): Promise<Awaited<ReturnType<typeof figuresOf>>[number] | undefined>;
}

/** Wallet 1, read to its end with this activity, and due to be measured; market 1 resolved for its first outcome. */
async function aDueWallet(activity: readonly ProviderActivity[]): Promise<Measured> {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await follow(pool, 1);
  const markets = [1, 2].map((market) => aProviderMarket(market));
  await inTransaction(pool, (session) => applyMarkets(session, markets, [], MEASURED_AT));
  await sync(pool, anActivityProvider(1, [pageOf(activity)], markets), 1, MEASURED_AT);
  await inTransaction(pool, (session) => applyResolutions(session, [conditionOf(1)], [aResolution(1, 1_000_000)], [], MEASURED_AT));
  await pool.query(`insert into provider_figures (trader_id, due_at) select trader_id, '2026-01-01' from wallet_syncs`);
  const { rows } = await pool.query<{ id: string }>("select id from traders");
  const traderId = Number(rows[0]?.id);
  return {
    db,
    pool,
    traderId,
    async tell(told, at = MEASURED_AT) {
      await measure(pool, aFiguresProvider(told), [traderId], at);
      return (await figuresOf(db))[0];
    },
  };
}

const NOTHING_MEASURED = { correctionMicro: null, realizedMicro: null, netMicro: null };

describe("the standing", () => {
  test("is kept to its last digit, with the time it was asked for", async () => {
    const { tell } = await aDueWallet([]);
    expect(await tell({ standings: [{ pnlUsd: "1105323.0494979997", volumeShares: "9004713.962642" }] })).toMatchObject({
      allTimePnlUsd: "1105323.0494979997",
      allTimeVolumeShares: "9004713.962642",
      boardAsOf: MEASURED_AT,
    });
  });

  test("of a wallet the board does not rank is null, not zero, also when it had one before", async () => {
    const { tell } = await aDueWallet([]);
    await tell({ standings: [{ pnlUsd: "5", volumeShares: "7" }] });
    const later = new Date(MEASURED_AT.getTime() + 7 * HOURS_MS);
    expect(await tell({}, later)).toMatchObject({ allTimePnlUsd: null, allTimeVolumeShares: null, boardAsOf: later });
  });
});

describe("the comparison", () => {
  test("of a market that was left before it resolved, and of one still held", async () => {
    const { tell } = await aDueWallet([...SOLD, HELD]);
    const held = aProviderPosition({ market: 2, heldSharesMicro: 10_000_000n, realizedMicro: 0n, unrealizedMicro: 4_000_000n });
    const row = await tell({ open: [positionsPage(held)], closed: [positionsPage(aProviderPosition({ realizedMicro: 3_000_000n }))] });
    // Ours made 1 where theirs made 3. The holding has no price yet, so nothing can be said of the net.
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

  test("what is held counts in the net at its price", async () => {
    const { pool, tell } = await aDueWallet([...SOLD, HELD]);
    await pool.query(`update positions set value_micro = 7250000 where shares_micro > 0`);
    const held = aProviderPosition({ market: 2, heldSharesMicro: 10_000_000n, realizedMicro: 0n });
    // 1 made, and 2.25 above the cost of 5.
    expect(await tell({ open: [positionsPage(held)], closed: [positionsPage(aProviderPosition())] })).toMatchObject({
      correctionMicro: null,
      realizedMicro: 1_000_000n,
      netMicro: 3_250_000n,
    });
  });

  test("of shares held to the end: on their row while unredeemed, without it only after a recorded redemption", async () => {
    const bought = [fill({ n: 1 })];
    const won = { realizedMicro: 0n, unrealizedMicro: 5_500_000n, heldSharesMicro: 10_000_000n, isRedeemable: true };
    const unredeemed = await aDueWallet(bought);
    expect(await unredeemed.tell({ open: [positionsPage(aProviderPosition(won))] })).toMatchObject({
      correctionMicro: -500_000n,
      marketsMeasured: 1,
    });
    const gone = { closed: [positionsPage(aProviderPosition({ realizedMicro: 5_000_000n }))] };
    expect(await (await aDueWallet(bought)).tell(gone)).toMatchObject({ marketsMeasured: 0, marketsExcluded: 1, ...NOTHING_MEASURED });
    const redeemed = await aDueWallet([...bought, anActivity("REDEEM", { n: 5, atSeconds: 1_760_000_020 })]);
    expect(await redeemed.tell(gone)).toMatchObject({ marketsMeasured: 1, correctionMicro: null, realizedMicro: 5_000_000n });
  });

  test("splits count as bought, and merges take away", async () => {
    const activity = [anActivity("SPLIT", { n: 1, market: 2 }), anActivity("MERGE", { n: 2, market: 2, atSeconds: 1_760_000_020 })];
    const { tell } = await aDueWallet(activity);
    const both = ([0, 1] as const).map((outcome) => aProviderPosition({ market: 2, outcome, realizedMicro: 0n }));
    expect(await tell({ closed: [positionsPage(...both)] })).toMatchObject({
      marketsMeasured: 1,
      correctionMicro: null,
      realizedMicro: 0n,
    });
  });

  test("a market that only one side knows is excluded, as is one where the wallet did what positions do not follow", async () => {
    const migrated = anActivity("MIGRATION", { n: 9, market: 2, atSeconds: 1_760_000_030 });
    const { tell } = await aDueWallet([...SOLD, HELD, migrated]);
    const held = aProviderPosition({ market: 2, heldSharesMicro: 10_000_000n, realizedMicro: 50_000_000n });
    const elsewhere = aProviderPosition({ market: 3, realizedMicro: 70_000_000n });
    const row = await tell({
      open: [positionsPage(held)],
      closed: [positionsPage(aProviderPosition({ realizedMicro: 2_000_000n }), elsewhere)],
    });
    expect(row).toMatchObject({ marketsMeasured: 1, marketsExcluded: 2, correctionMicro: -1_000_000n });
  });

  test("what positions do not follow excludes the other markets of its event too", async () => {
    const migrated = anActivity("MIGRATION", { n: 9, market: 2, atSeconds: 1_760_000_030 });
    const { pool, tell } = await aDueWallet([...SOLD, migrated]);
    const told = { closed: [positionsPage(aProviderPosition({ realizedMicro: 2_000_000n }))] };
    expect(await tell(told)).toMatchObject({ marketsMeasured: 1, marketsExcluded: 0 });
    await pool.query(
      `with e as (insert into provider_events (slug) values ('both') returning id) update markets set event_id = e.id from e`,
    );
    await pool.query("update provider_figures set due_at = '2026-01-01'");
    expect(await tell(told)).toMatchObject({ marketsMeasured: 0, marketsExcluded: 1, ...NOTHING_MEASURED });
  });

  test("a market with the legs of a conversion is excluded: the provider prices them otherwise", async () => {
    const { pool, tell } = await aDueWallet(SOLD);
    await pool.query(`update ledger_entries set kind = 'convert_out' where kind = 'sell'`);
    expect(await tell({ closed: [positionsPage(aProviderPosition({ realizedMicro: 9_000_000n }))] })).toMatchObject({
      marketsMeasured: 0,
      marketsExcluded: 1,
    });
  });

  test("all pages of both lists count, and a row that comes again unchanged counts once", async () => {
    const { tell } = await aDueWallet([...SOLD, HELD]);
    const [sold, held] = [
      aProviderPosition({ realizedMicro: 4_000_000n }),
      aProviderPosition({ market: 2, heldSharesMicro: 10_000_000n, realizedMicro: 0n }),
    ];
    const row = await tell({
      open: [positionsPage(), positionsPage(held)],
      closed: [positionsPage(sold), positionsPage(sold), positionsPage()],
    });
    expect(row).toMatchObject({ marketsMeasured: 2, marketsExcluded: 0, correctionMicro: -3_000_000n });
  });

  test("a row that comes again otherwise was read while the wallet traded: its market is excluded", async () => {
    const { tell } = await aDueWallet([...SOLD, HELD]);
    const held = aProviderPosition({ market: 2, heldSharesMicro: 10_000_000n, realizedMicro: 0n });
    const left = { ...held, heldSharesMicro: 0n };
    const row = await tell({ open: [positionsPage(held)], closed: [positionsPage(aProviderPosition(), left)] });
    expect(row).toMatchObject({ marketsMeasured: 1, marketsExcluded: 1 });
  });
});

describe("what cannot be measured whole is not measured in part", () => {
  const UNMEASURED = { ...NOTHING_MEASURED, marketsMeasured: null, marketsExcluded: null, measuredAt: null };

  test("a wallet with more than 5,000 rows", async () => {
    const { tell } = await aDueWallet(SOLD);
    const many = (count: number) => positionsPage(...Array.from({ length: count }, (_, n) => aProviderPosition({ market: 10 + n })));
    const row = await tell({ standings: [{ pnlUsd: "3", volumeShares: null }], open: [many(3_000)], closed: [many(2_000), many(1)] });
    expect(row).toMatchObject({ ...UNMEASURED, lastError: "more than 5000 positions", allTimePnlUsd: "3" });
    expect(row?.dueAt).toEqual(new Date(MEASURED_AT.getTime() + 6 * HOURS_MS));
  });

  test("one of whose rows does not fit its schema, which is kept for an operator", async () => {
    const { pool, tell } = await aDueWallet(SOLD);
    const misfit = { record: { token_id: "?" }, reason: "token_id: expected a token id" };
    const row = await tell({ closed: [{ ...positionsPage(aProviderPosition()), misfits: [misfit] }] });
    expect(row).toMatchObject({ ...UNMEASURED, lastError: "1 position rows did not fit their schema" });
    const { rows } = await pool.query("select feed, reason from set_aside_records");
    expect(rows).toEqual([{ feed: "provider_figures", reason: misfit.reason }]);
  });

  test("one whose history has not been read to its end", async () => {
    const { pool, tell } = await aDueWallet(SOLD);
    await pool.query("update wallet_syncs set complete_at = null");
    expect(await tell({ closed: [positionsPage(aProviderPosition())] })).toMatchObject({
      ...UNMEASURED,
      lastError: "the wallet's history has not been read to its end",
    });
  });
});

describe("when the provider fails", () => {
  const failing = (error: Error): Provider => ({
    ...aFiguresProvider({}),
    async listPositions() {
      throw error;
    },
  });

  test("what was measured before stands, the reason is kept and the next try is some time away", async () => {
    const { db, pool, traderId, tell } = await aDueWallet(SOLD);
    const before = await tell({ closed: [positionsPage(aProviderPosition({ realizedMicro: 2_000_000n }))] });
    const dueIn = async (failedAt: Date) => {
      await expect(measure(pool, failing(new ProviderUnavailable("down", 5_000)), [traderId], failedAt)).rejects.toThrow("down");
      const [row] = await figuresOf(db);
      expect(row).toMatchObject({ ...before, lastError: expect.stringContaining("down"), dueAt: expect.any(Date) });
      return (Number(row?.dueAt) - failedAt.getTime()) / 60_000;
    };
    // Due six hours after it was measured: each wait is as long as it has been failing, from 10 minutes to 6 hours.
    const after = (hours: number) => new Date(MEASURED_AT.getTime() + hours * HOURS_MS);
    expect(await dueIn(after(6))).toBe(10);
    expect(await dueIn(after(7))).toBe(60);
    expect(await dueIn(after(9))).toBe(180);
    expect(await dueIn(after(30))).toBe(360);
  });

  test("a wallet that was never measured waits an hour", async () => {
    const { db, pool, traderId } = await aDueWallet(SOLD);
    await expect(measure(pool, failing(new ProviderUnavailable("down", null)), [traderId])).rejects.toThrow();
    expect((await figuresOf(db))[0]?.dueAt).toEqual(new Date(MEASURED_AT.getTime() + HOURS_MS));
  });

  test("a wallet that it refuses does not keep the others of the message from being measured", async () => {
    const { db, pool, traderId } = await aDueWallet(SOLD);
    const { rows: bad } = await pool.query<{ trader_id: string }>(`with t as (insert into traders (address) values ('0xbad') returning id)
      insert into provider_figures (trader_id, due_at) select id, '2026-01-01' from t returning trader_id`);
    const told = aFiguresProvider({ closed: [positionsPage(aProviderPosition())] });
    const provider: Provider = {
      ...told,
      findStanding: (address) => (address === "0xbad" ? Promise.reject(new ProviderRefused("no")) : told.findStanding(address)),
    };
    await measure(pool, provider, [Number(bad[0]?.trader_id), traderId]);
    const rows = await figuresOf(db);
    expect(rows.map((row) => [row.marketsMeasured, row.lastError?.includes("no") ?? null])).toEqual([
      [1, null],
      [null, true],
    ]);
  });

  test("a mistake of ours is no failure of the provider's: it rises, and nothing is written", async () => {
    const { db, pool, traderId } = await aDueWallet(SOLD);
    const [before] = await figuresOf(db);
    await expect(measure(pool, failing(new TypeError("ours")), [traderId])).rejects.toThrow("ours");
    expect((await figuresOf(db))[0]).toEqual(before);
  });
});

test("a message that comes twice asks once", async () => {
  const { db, pool, traderId, tell } = await aDueWallet(SOLD);
  await tell({ closed: [positionsPage(aProviderPosition())] });
  const [once] = await figuresOf(db);
  const deaf: Provider = { ...aFiguresProvider({}), findStanding: () => Promise.reject(new Error("asked again")) };
  await measure(pool, deaf, [traderId, traderId]);
  expect((await figuresOf(db))[0]).toEqual(once);
});
