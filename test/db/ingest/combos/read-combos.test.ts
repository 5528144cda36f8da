import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { isComboReadDue, listDueCombos } from "../../../../src/ingest/combos/due-combos.ts";
import { postponeUnknown } from "../../../../src/ingest/combos/finish-read.ts";
import { hasRecordedData, readRecorded } from "../../../support/providers/recorded.ts";
import { waitForLedgerWaiters, waitForRowWaiters, whileLedgerIsLocked } from "../../../support/ingest/ledger-lock.ts";
import { anActivity, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { countMessages } from "../../../support/database/count-messages.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import {
  aComboEvent,
  aComboPosition,
  aComboTrade,
  aLeg,
  comboConditionOf,
  comboTokenOf,
} from "../../../support/ingest/provider/provider-combos.ts";
import { aComboTrader, type ComboListing, type ComboTrader } from "../../../support/ingest/worlds/combo-trader.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const SECOND = 1_760_000_000;
const shares = (n: number) => BigInt(Math.round(n * 1_000_000));

const listing = (facts: Partial<ComboListing> = {}): ComboListing => ({
  positions: [aComboPosition(1, [1, 2])],
  events: [],
  legMarkets: [1, 2, 3, 4],
  ...facts,
});

/** 100 YES of combo 1 bought for 20 dollars, with a fee of one, and 40 of them sold for 12. */
const BUY = {
  ...aComboTrade({ n: 1, market: 1, sharesMicro: shares(100), price: "0.2", atSeconds: SECOND }),
  feeMicro: 1_000_000n,
};
const SELL = aComboTrade({
  n: 2,
  market: 1,
  side: "SELL",
  sharesMicro: shares(40),
  price: "0.3",
  atSeconds: SECOND + 60,
});

/*
 * Before the first transaction: the trader and its links. A page of positions takes four messages, the end two and the
 * postponed combos one. Activity without events takes none.
 */
test("a read of combos that have not changed takes nine round trips, however many they are", async () => {
  const combos = Array.from({ length: 30 }, (_, n) => aComboPosition(1 + n, [1 + n, 2 + n]));
  const legMarkets = Array.from({ length: 31 }, (_, n) => 1 + n);
  const trader = await aComboTrader(database, listing({ positions: combos, legMarkets }));
  await trader.sync(BUY);
  await trader.readCombos();
  expect(await countMessages(() => trader.readCombos())).toBe(9);
});

test("a trader's combos are read at once, and again at most every three minutes", async () => {
  const trader = await aComboTrader(database, listing());
  const isDue = () => isComboReadDue(trader.pool, walletOf(1));
  await trader.sync(BUY);
  expect(await isDue()).toBe(true);
  await trader.readCombos();
  await trader.sync(BUY, { ...SELL, tradedAt: new Date() });
  expect(await isDue()).toBe(false);
  const { rows } = await trader.pool.query(
    "select extract(epoch from combos_due_at - combos_read_at)::int as seconds from trader_syncs",
  );
  expect(rows).toEqual([{ seconds: 180 }]);
  await trader.pool.query("update trader_syncs set combos_read_at = combos_read_at - interval '4 minutes'");
  await trader.sync(BUY, { ...SELL, tradedAt: new Date() });
  expect(await isDue()).toBe(true);
});

describe("beside another transaction with the ledger lock", () => {
  const readState = async ({ pool }: ComboTrader) =>
    (await pool.query("select combos_read_at is not null as is_read, combos_due_at, gaps from trader_syncs")).rows;

  test("a trader without combos is read to the end", async () => {
    const trader = await aComboTrader(database, listing({ positions: [], legMarkets: [] }));
    await trader.sync();
    await trader.pool.query("update trader_syncs set combos_due_at = now()");
    await whileLedgerIsLocked(database.openPool(), () => trader.readCombos());
    expect(await readState(trader)).toEqual([{ is_read: true, combos_due_at: null, gaps: [] }]);
  });

  test("a trader with events to book waits", async () => {
    const split = aComboEvent("SPLIT", { n: 1, combo: 1, legs: [1, 2], amountMicro: shares(30), atSeconds: SECOND });
    const lists = { ...listing(), events: [split] };
    const trader = await aComboTrader(database, lists);
    await trader.sync(BUY);
    await trader.readCombos();
    await trader.pool.query("delete from ledger_entries where kind = 'split'");
    Object.assign(lists, { positions: [], events: [] });
    const { running } = await whileLedgerIsLocked(database.openPool(), async () => {
      const started = trader.readCombos();
      started.catch(() => undefined);
      await waitForLedgerWaiters(database.openPool());
      return { running: started };
    });
    await running;
    const { rows } = await trader.pool.query("select count(*)::int as n from ledger_entries where kind = 'split'");
    expect(rows).toEqual([{ n: 2 }]);
  });

  test("activity that is committed while the read waits for it counts: a split of a combo keeps the history open", async () => {
    const trader = await aComboTrader(database, listing({ positions: [], legMarkets: [] }));
    await trader.sync();
    const client = await database.openPool().connect();
    await client.query("begin");
    await client.query("update trader_syncs set gaps = '{unreadable}'");
    await client.query(
      `insert into trader_activity (tx_hash, trader_id, type, condition_id, token_id, shares_micro, ordinal, usd_micro, happened_at)
       select '\\x01', id, 'SPLIT', $1, '', 1, 0, 1, now() from traders`,
      [comboConditionOf(1)],
    );
    const running = trader.readCombos();
    await waitForRowWaiters(database.openPool());
    await client.query("commit");
    client.release();
    await running;
    const [state] = await readState(trader);
    expect(state).toMatchObject({ is_read: true, gaps: ["combination", "unreadable"] });
    expect(state?.combos_due_at).not.toBeNull();
  });
});

test("an unknown combo that another transaction has locked is not postponed, and no read waits for it", async () => {
  const trader = await aComboTrader(database, listing({ legMarkets: [] }));
  await trader.sync(BUY);
  const attempts = async () => (await trader.pool.query("select read_attempts from combos")).rows;
  const { rows } = await trader.pool.query<{ id: string }>("select id from traders");
  const postpone = () => postponeUnknown(trader.pool, Number(rows[0]?.id), new Date());
  const client = await database.openPool().connect();
  await client.query("begin");
  await client.query("select from combos for update");
  await postpone();
  expect(await attempts()).toEqual([{ read_attempts: 0 }]);
  await client.query("rollback");
  client.release();
  await postpone();
  expect(await attempts()).toEqual([{ read_attempts: 1 }]);
});

test("an unknown combo is postponed when it is due, not by each read of a holder", async () => {
  const trader = await aComboTrader(database, listing({ legMarkets: [] }));
  await trader.sync(BUY);
  const combo = async () => (await trader.pool.query("select read_attempts, read_due_at from combos")).rows[0];
  await trader.readCombos();
  const postponed = await combo();
  expect(postponed).toMatchObject({ read_attempts: 1 });
  await trader.readCombos();
  expect(await combo()).toEqual(postponed);
  await trader.pool.query("update combos set read_due_at = now()");
  await trader.readCombos();
  expect(await combo()).toMatchObject({ read_attempts: 2 });
});

describe("a combo that becomes known", () => {
  test("its amounts move from the excluded counters into profit, and the gap closes", async () => {
    const trader = await aComboTrader(database, listing());
    await trader.sync(BUY, SELL);
    expect(await trader.gaps()).toEqual(["combination"]);
    expect(await trader.totals()).toMatchObject({
      ...{ realized_micro: "0", fees_micro: "0", combination_markets: 1, combination_volume_micro: "32000000" },
    });
    await trader.readCombos();
    expect(await trader.gaps()).toEqual([]);
    // 40 shares cost 8 of the 20 dollars.
    expect(await trader.totals()).toMatchObject({
      ...{ realized_micro: "4000000", fees_micro: "1000000", volume_micro: "32000000" },
      ...{ markets_traded: 1, markets_resolved: 0, combination_markets: 0, combination_volume_micro: "0" },
    });
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({ status: "pending", leg_count: 2, is_known: true });
    await trader.expectRecomputed();
  });

  test("a combo with one unknown leg stays excluded", async () => {
    const trader = await aComboTrader(database, listing({ legMarkets: [1] }));
    await trader.sync(BUY);
    await trader.readCombos();
    expect(await trader.gaps()).toEqual(["combination"]);
    expect(await trader.totals()).toMatchObject({ combination_markets: 1, fees_micro: "0" });
    expect(await trader.legs(comboConditionOf(1))).toMatchObject([
      { state: "pending", is_linked: true },
      { state: "unknown", is_linked: false },
    ]);
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({
      ...{ status: "unknown", status_reason: "leg_result_unknown", is_known: false },
    });
    await trader.expectRecomputed();
  });

  test("the provider's status decides only while our own market is unknown", async () => {
    const lost = aLeg(2, { status: "RESOLVED_LOSS" });
    const lists = listing({ positions: [aComboPosition(1, [1, lost])], legMarkets: [1] });
    const trader = await aComboTrader(database, lists);
    await trader.sync(BUY);
    await trader.readCombos();
    // No payout is booked on the provider's word.
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({ status: "lost", payouts_ppm: null });
    lists.legMarkets = [1, 2];
    await trader.readCombos();
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({ status: "pending", payouts_ppm: null });
    await trader.expectRecomputed();
  });

  test("another trader's read makes it known for everyone", async () => {
    const trader = await aComboTrader(database, listing());
    await trader.sync(BUY);
    await trader.trade(aComboTrade({ n: 5, wallet: 2, market: 1, outcome: 1, sharesMicro: shares(100), price: "0.8" }));
    expect(await trader.totals(2)).toMatchObject({ combination_markets: 1 });
    await trader.readCombos();
    expect(await trader.totals(2)).toMatchObject({ combination_markets: 0, volume_micro: "80000000" });
    await trader.expectRecomputed();
  });

  test("legs in another order change nothing, and other legs are quarantined", async () => {
    const lists = listing();
    const trader = await aComboTrader(database, lists);
    await trader.sync(BUY);
    await trader.readCombos();
    const first = await trader.legs(comboConditionOf(1));
    lists.positions = [aComboPosition(1, [2, 1])];
    await trader.readCombos();
    expect(await trader.legs(comboConditionOf(1))).toEqual(first);
    lists.positions = [aComboPosition(1, [1, 3])];
    await trader.readCombos();
    expect(await trader.legs(comboConditionOf(1))).toEqual(first);
    const { rows } = await trader.pool.query(`select reason from quarantined_records where feed = 'combos'`);
    expect(rows).toEqual([{ reason: "legs: other positions than read before" }]);
  });
});

describe("the settlement of a known combo", () => {
  async function aKnownCombo(legs: readonly number[], facts: Partial<ComboListing> = {}) {
    const markets = legs.map((leg) => Math.abs(leg));
    const trader = await aComboTrader(
      database,
      listing({ positions: [aComboPosition(1, legs)], legMarkets: markets, ...facts }),
    );
    await trader.sync(
      BUY,
      aComboTrade({ n: 3, market: 1, outcome: 1, sharesMicro: shares(10), price: "0.7", atSeconds: SECOND + 5 }),
    );
    await trader.readCombos();
    return trader;
  }

  test("YES pays when every leg has won, a NO leg by the market's second outcome", async () => {
    const trader = await aKnownCombo([1, -2]);
    await trader.resolve(1, 1_000_000);
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({ status: "pending", payouts_ppm: null });
    await trader.resolve(2, 0);
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({ status: "won", payouts_ppm: [1_000_000, 0] });
    // 100 YES for 20 pay 100; 10 NO for 7 pay nothing.
    expect(await trader.totals()).toMatchObject({ settled_micro: "73000000", markets_resolved: 1, markets_won: 1 });
    await trader.expectRecomputed();
  });

  test("one lost leg decides at once", async () => {
    const trader = await aKnownCombo([1, 2, 3]);
    await trader.resolve(2, 0, new Date("2026-01-05T10:00:00Z"));
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({
      ...{ status: "lost", payouts_ppm: [0, 1_000_000], settled_on: "2026-01-05" },
    });
    expect(await trader.totals()).toMatchObject({ settled_micro: "-17000000", markets_decided: 1, markets_won: 0 });
    await trader.expectRecomputed();
  });

  test("a void leg pays its part, and NO pays the rest", async () => {
    const trader = await aKnownCombo([1, 2]);
    await trader.resolve(1, 500_000);
    await trader.resolve(2, 1_000_000);
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({
      ...{ status: "unknown", status_reason: "partial_payout", payouts_ppm: [500_000, 500_000] },
    });
    expect(await trader.totals()).toMatchObject({ settled_micro: "28000000" });
    await trader.expectRecomputed();
  });

  test("a result that is reversed after the combo settled is settled again", async () => {
    const trader = await aKnownCombo([1, 2]);
    await trader.resolve(1, 1_000_000, new Date("2026-01-05T10:00:00Z"));
    await trader.resolve(2, 1_000_000, new Date("2026-01-06T10:00:00Z"));
    const won = await trader.totals();
    expect(won).toMatchObject({ settled_micro: "73000000" });
    await trader.resolve(1, 1_000_000, new Date("2026-01-05T10:00:00Z"));
    expect(await trader.totals()).toEqual(won);
    await trader.resolve(2, 0, new Date("2026-01-07T10:00:00Z"));
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({ status: "lost", settled_on: "2026-01-07" });
    expect(await trader.totals()).toMatchObject({ settled_micro: "-17000000", markets_won: 0 });
    await trader.resolve(2, null);
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({ status: "pending", payouts_ppm: null });
    expect(await trader.totals()).toMatchObject({ settled_micro: "0", markets_resolved: 0 });
    await trader.expectRecomputed();
  });

  test("a combo whose legs resolved before it became known settles when it does", async () => {
    const lists = listing({ positions: [] });
    const trader = await aComboTrader(database, lists);
    await trader.sync(BUY, SELL);
    await trader.describe(1, 2);
    await trader.resolve(1, 1_000_000);
    await trader.resolve(2, 1_000_000);
    await trader.readCombos();
    expect(await trader.totals()).toMatchObject({ settled_micro: "0", combination_markets: 1 });
    lists.positions = [aComboPosition(1, [1, 2])];
    await trader.readCombos();
    // 60 shares are left with 12 dollars of cost.
    expect(await trader.totals()).toMatchObject({ settled_micro: "48000000", realized_micro: "4000000" });
    await trader.expectRecomputed();
  });

  test("a combo of 50 legs settles with its last leg", async () => {
    const legs = Array.from({ length: 50 }, (_, index) => index + 1);
    const trader = await aKnownCombo(legs);
    for (const market of legs.slice(1)) await trader.resolve(market, 1_000_000);
    expect(await trader.combo(comboConditionOf(1))).toMatchObject({ status: "pending", leg_count: 50 });
    await trader.resolve(1, 1_000_000);
    expect(await trader.totals()).toMatchObject({ settled_micro: "73000000" });
    await trader.expectRecomputed();
  });
});

/** The provider lists `positions`; the first leg of the trader's combo has won, and `amountMicro` was compressed. */
async function aTraderAfterCompress(positions: ComboListing["positions"], amountMicro: bigint): Promise<ComboTrader> {
  const lists = listing({ positions });
  const trader = await aComboTrader(database, lists);
  await trader.sync(BUY);
  await trader.readCombos();
  await trader.resolve(1, 1_000_000, new Date((SECOND + 90) * 1000));
  lists.events = [aComboEvent("COMPRESS", { n: 1, combo: 1, legs: [1, 2, 3], amountMicro, atSeconds: SECOND + 100 })];
  await trader.readCombos();
  return trader;
}

describe("the lifecycle events of combos", () => {
  test("a split and a merge are booked once, as in any other market", async () => {
    const events = [
      aComboEvent("SPLIT", { n: 1, combo: 1, legs: [1, 2], amountMicro: shares(30), atSeconds: SECOND + 10 }),
      aComboEvent("MERGE", { n: 2, combo: 1, legs: [1, 2], amountMicro: shares(10), atSeconds: SECOND + 20 }),
    ];
    const trader = await aComboTrader(database, listing({ events }));
    await trader.sync(BUY);
    await trader.readCombos();
    await trader.readCombos();
    expect(await trader.gaps()).toEqual([]);
    expect(await trader.position(comboTokenOf(1, 0))).toMatchObject({ shares_micro: "120000000" });
    expect(await trader.position(comboTokenOf(1, 1))).toMatchObject({
      shares_micro: "20000000",
      cost_micro: "10000000",
    });
    await trader.expectRecomputed();
  });

  test("a split that only the trader's activity has leaves the gap open", async () => {
    const trader = await aComboTrader(database, listing());
    const split = anActivity("SPLIT", { n: 7, sharesMicro: shares(30), atSeconds: SECOND + 10 });
    if (split.kind !== "other") throw new Error("a split is no trade");
    await trader.sync(BUY, { ...split, activity: { ...split.activity, market: BUY.market } });
    await trader.readCombos();
    expect(await trader.totals()).toMatchObject({ combination_markets: 0 });
    expect(await trader.gaps()).toEqual(["combination"]);
  });

  test("a compress moves the shares with their cost to the combo of the other legs", async () => {
    const trader = await aTraderAfterCompress([aComboPosition(1, [1, 2, 3]), aComboPosition(2, [2, 3])], shares(100));
    expect(await trader.gaps()).toEqual([]);
    expect(await trader.position(comboTokenOf(1, 0))).toMatchObject({ shares_micro: "0", realized_micro: "0" });
    expect(await trader.position(comboTokenOf(2, 0))).toMatchObject({
      shares_micro: "100000000",
      cost_micro: "20000000",
    });
    await trader.resolve(2, 1_000_000);
    await trader.resolve(3, 1_000_000);
    expect(await trader.totals()).toMatchObject({ settled_micro: "80000000", unmatched_positions: 0 });
    await trader.expectRecomputed();
  });

  test("a compress without a known target leaves the gap open", async () => {
    const trader = await aTraderAfterCompress([aComboPosition(1, [1, 2, 3])], shares(100));
    expect(await trader.gaps()).toEqual(["combination"]);
    await trader.expectRecomputed();
  });

  test("dollars that are not the whole position do not prove the shares of a move", async () => {
    const trader = await aTraderAfterCompress([aComboPosition(1, [1, 2, 3]), aComboPosition(2, [2, 3])], shares(20));
    expect(await trader.gaps()).toEqual(["combination"]);
  });

  test("an unwrap moves the shares to the leg's own market, a wrap back", async () => {
    const lists = listing({ positions: [aComboPosition(1, [-1])] });
    const trader = await aComboTrader(database, lists);
    await trader.sync(BUY);
    lists.events = [
      aComboEvent("UNWRAP", { n: 1, combo: 1, legs: [-1], amountMicro: shares(100), atSeconds: SECOND + 100 }),
    ];
    await trader.readCombos();
    expect(await trader.position("1000003")).toMatchObject({ shares_micro: "100000000", cost_micro: "20000000" });
    lists.events = [
      ...lists.events,
      aComboEvent("WRAP", { n: 2, combo: 1, legs: [-1], sharesMicro: shares(40), atSeconds: SECOND + 200 }),
    ];
    await trader.readCombos();
    expect(await trader.position("1000003")).toMatchObject({ shares_micro: "60000000", cost_micro: "12000000" });
    expect(await trader.position(comboTokenOf(1, 0))).toMatchObject({
      shares_micro: "40000000",
      cost_micro: "8000000",
    });
    expect(await trader.gaps()).toEqual([]);
    await trader.expectRecomputed();
  });

  test("a convert is not booked and leaves the gap open, a redemption needs no entry", async () => {
    const redeem = aComboEvent("REDEEM", { n: 1, combo: 1, legs: [1, 2], payoutMicro: shares(100) });
    const lists = listing({ events: [redeem] });
    const trader = await aComboTrader(database, lists);
    await trader.sync(BUY);
    await trader.readCombos();
    expect(await trader.gaps()).toEqual([]);
    lists.events = [redeem, aComboEvent("CONVERT", { n: 2, combo: 1, legs: [1, 2], amountMicro: shares(1) })];
    await trader.readCombos();
    expect(await trader.gaps()).toEqual(["combination"]);
  });
});

/** A recorded row of the provider's biggest wins in combos; no recorded wallet has a `realized_combo_pnl` but 0. */
const RecordedWin = z.object({
  data: z.tuple([
    z.object({ kind: z.literal("combo"), pnl: z.number(), initial_value: z.number(), final_value: z.number() }),
  ]),
});

test.runIf(hasRecordedData)(
  "a won combo has the profit that the provider recorded for its cost and payout",
  async () => {
    const { data } = RecordedWin.parse(readRecorded("provider-samples/v2_biggest_winners.json"));
    const [{ pnl, initial_value: cost, final_value: payout }] = data;
    const trader = await aComboTrader(database, listing());
    await trader.sync({ ...BUY, sharesMicro: shares(payout), usdMicro: shares(cost), feeMicro: null });
    await trader.readCombos();
    await trader.resolve(1, 1_000_000);
    await trader.resolve(2, 1_000_000);
    expect(await trader.totals()).toMatchObject({ realized_micro: "0", settled_micro: String(shares(pnl)) });
  },
);

describe("a read that is cut off", () => {
  test("keeps what it has stored, and the next read ends in the same state", async () => {
    const events = [
      aComboEvent("SPLIT", { n: 1, combo: 1, legs: [1, 2], amountMicro: shares(30), atSeconds: SECOND + 10 }),
    ];
    const whole = await aComboTrader(database, listing({ events }));
    await whole.sync(BUY);
    await whole.readCombos();
    const expected = [await whole.totals(), await whole.gaps(), await whole.legs(comboConditionOf(1))];
    const cut = await aComboTrader(database, listing({ events }));
    await cut.sync(BUY);
    await expect(cut.readCombos(1, { failsAt: "activity" })).rejects.toThrow("cut off");
    expect(await cut.gaps()).toEqual(["combination"]);
    expect(await cut.combo(comboConditionOf(1))).toMatchObject({ is_known: true });
    await cut.readCombos();
    const ignoreId = (row: Readonly<Record<string, unknown>>) => ({ ...row, trader_id: null });
    const [totals, ...rest] = expected;
    expect(ignoreId(await cut.totals())).toEqual(ignoreId(totals as Readonly<Record<string, unknown>>));
    expect([await cut.gaps(), await cut.legs(comboConditionOf(1))]).toEqual(rest);
    await cut.expectRecomputed();
  });

  test("a long activity continues from its cursor in the next message", async () => {
    const events = Array.from({ length: 25 }, (_, n) =>
      aComboEvent("SPLIT", { n: n + 1, combo: 1, legs: [1, 2], amountMicro: shares(1), atSeconds: SECOND + 10 + n }),
    ).toReversed();
    const trader = await aComboTrader(database, listing({ events, eventsPerPage: 1 }));
    await trader.sync(BUY);
    await trader.readCombos();
    expect(await trader.gaps()).toEqual(["combination"]);
    await trader.readCombos();
    expect(await trader.gaps()).toEqual([]);
    expect(await trader.position(comboTokenOf(1, 1))).toMatchObject({ shares_micro: "25000000" });
  });
});

describe("what is due", () => {
  const addresses = async (trader: ComboTrader) =>
    (await listDueCombos(trader.pool, 10)).flatMap((message) => ("address" in message ? message.address : []));

  test("a trader with combos is due after its sync, and not again once they are read and resolved", async () => {
    const trader = await aComboTrader(database, listing());
    await trader.sync(BUY);
    expect(await addresses(trader)).toEqual([walletOf(1)]);
    await trader.resolve(1, 0);
    await trader.readCombos();
    await trader.resolve(1, 0);
    await trader.readCombos();
    expect(await addresses(trader)).toEqual([]);
    expect(await isComboReadDue(trader.pool, walletOf(1))).toBe(false);
  });

  test("an unknown combo of traders that are not followed is asked from one holder after the other", async () => {
    const trader = await aComboTrader(database, listing({ positions: [] }));
    const bought = { market: 1, sharesMicro: shares(1), price: "0.5" } as const;
    await trader.trade(
      aComboTrade({ ...bought, n: 1, wallet: 1 }),
      aComboTrade({ ...bought, n: 2, wallet: 2, outcome: 1 }),
    );
    const [first] = await addresses(trader);
    await trader.readCombos(first === walletOf(1) ? 1 : 2);
    expect(await addresses(trader)).toEqual([]);
    await trader.pool.query("update combos set read_due_at = now()");
    const [second] = await addresses(trader);
    expect([first, second].toSorted()).toEqual([walletOf(1), walletOf(2)]);
  });
});
