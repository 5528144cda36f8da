import { expect, test } from "vitest";
import { MarketShapes } from "../../../../../scripts/bench/live-size/history/market-shapes.ts";
import { burstOf, SHORT_FORM, type LiveSize } from "../../../../../scripts/bench/live-size/live-size.ts";
import { LiveCatalog } from "../../../../../scripts/bench/live-size/provider/live-catalog.ts";
import { executionOf, tradesOf, txHashesOf } from "../../../../../scripts/bench/live-size/provider/live-trades.ts";
import { createLiveWorld, visibleAtMs } from "../../../../../scripts/bench/live-size/provider/live-world.ts";
import { ObservedTrades } from "../../../../../scripts/bench/live-size/provider/observed-trades.ts";
import { executionsBy, secondOfExecution } from "../../../../../scripts/bench/live-size/provider/trade-schedule.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 10, 2, 30);
const SIZE: LiveSize = { ...SHORT_FORM, markets: 1_000, traders: 300, rate: 20, burst: 100, minutes: 2 };
const BEGIN = NOW_MS / 1_000 + 10;
const markets = new LiveCatalog(new MarketShapes(SIZE.markets, NOW_MS));
const traded = {
  shapes: new MarketShapes(SIZE.markets, NOW_MS),
  open: markets.open,
  combinations: markets.combinations,
};
const trades = Array.from({ length: executionsBy(120_000, SIZE) }, (_, n) => tradesOf(n, SIZE, BEGIN, traded)).flat();

test("the burst lasts a minute, or a quarter of a shorter time", () => {
  expect(burstOf({ minutes: 10 })).toEqual({ fromMs: 150_000, toMs: 210_000 });
  expect(burstOf({ minutes: 2 })).toEqual({ fromMs: 30_000, toMs: 60_000 });
});

test("rows arrive at the rate, and at that of the burst in between", () => {
  // 90 s at 20 a second and 30 s at 100 a second.
  expect(executionsBy(120_000, SIZE) * 2).toBe(4_800);
  expect((executionsBy(30_000, SIZE) - executionsBy(29_000, SIZE)) * 2).toBe(20);
  expect((executionsBy(45_000, SIZE) - executionsBy(44_000, SIZE)) * 2).toBe(100);
  expect(executionsBy(200_000, SIZE)).toBe(executionsBy(120_000, SIZE));
  expect(executionsBy(-5, SIZE)).toBe(0);
});

test("the second of an execution is the one in which the schedule reaches it", () => {
  for (const execution of [0, 9, 10, 299, 300, 349, 350, 1_799, 1_800, 2_399]) {
    const second = secondOfExecution(execution, SIZE);
    expect(executionsBy(second * 1_000, SIZE)).toBeLessThanOrEqual(execution);
    expect(executionsBy((second + 1) * 1_000, SIZE)).toBeGreaterThan(execution);
  }
});

test("an execution has a taker and another trader as its maker, in a market that is open", () => {
  expect(trades).toHaveLength(4_800);
  for (const [index, { market, atSeconds, role, trader, txHash, sharesMicro }] of trades.entries()) {
    expect(role).toBe(index % 2 === 0 ? "taker" : "maker");
    expect(executionOf(txHash)).toBe(Math.floor(index / 2));
    expect(sharesMicro).toBeGreaterThan(0);
    const isOpen = market.startMs <= atSeconds * 1_000 && market.endMs > atSeconds * 1_000;
    expect(isOpen || market.kind === "combination").toBe(true);
    const other = trades[index + (role === "taker" ? 1 : -1)];
    expect(other?.trader).not.toBe(trader);
  }
});

test("the trades of another phase have other transactions and new traders, in the range of their phase", () => {
  const later = Array.from({ length: 500 }, (_, n) => tradesOf(n, { ...SIZE, phase: 1 }, BEGIN, traded)).flat();
  const newTraders = (rows: typeof later) => rows.flatMap(({ trader }) => (trader >= SIZE.traders ? [trader] : []));
  const first = new Set([...trades.map(({ txHash }) => txHash), ...newTraders(trades)]);
  expect(newTraders(later).length).toBeGreaterThan(0);
  for (const known of [...later.map(({ txHash }) => txHash), ...newTraders(later)])
    expect(first.has(known)).toBe(false);
  expect(later.map(({ txHash }) => executionOf(txHash))).toEqual(later.map((_, index) => Math.floor(index / 2)));
  for (const [phase, rows] of [trades, later].entries()) {
    const [from, to] = txHashesOf(phase);
    for (const { txHash } of rows) expect(from <= txHash && txHash < to).toBe(true);
  }
});

test("all kinds of markets are traded, by known and by new traders, in purchases and sales", () => {
  expect(new Set(trades.map(({ market }) => market.kind))).toEqual(
    new Set(["five_minute", "neg_risk", "binary", "combination"]),
  );
  const takers = trades.filter(({ role }) => role === "taker");
  const share = (count: number) => count / takers.length;
  expect(share(takers.filter(({ side }) => side === "SELL").length)).toBeGreaterThan(0.1);
  expect(share(takers.filter(({ trader }) => trader >= SIZE.traders).length)).toBeGreaterThan(0.02);
});

test("the world shows exactly the rows of the schedule, whatever the times at which it was asked", () => {
  let now = NOW_MS;
  const observed = new ObservedTrades();
  const world = createLiveWorld(
    SIZE,
    NOW_MS,
    () => now,
    (_, record) => observed.add(record),
  );
  world.refresh();
  expect(world.activity.all).toHaveLength(0);
  world.begin(BEGIN);
  for (const elapsedMs of [3_300, 3_400, 41_000, 130_000]) {
    now = BEGIN * 1_000 + elapsedMs;
    world.refresh();
  }
  expect(world.activity.all.map(({ transactionHash, wallet }) => `${transactionHash} ${wallet.name}`)).toEqual(
    trades.map(({ txHash, trader }) => `${txHash} generated-${trader}`),
  );
  expect(observed.read().sentAtMs).toHaveLength(trades.length);
});

test("a row is observed as sent once, and as followed up when its trader's activity is read after it is visible", () => {
  let now = NOW_MS;
  const observed = new ObservedTrades();
  const world = createLiveWorld(
    SIZE,
    NOW_MS,
    () => now,
    (_, record) => observed.add(record),
  );
  world.begin(BEGIN);
  now = BEGIN * 1_000 + 1_000;
  world.refresh();
  const [first] = world.activity.all;
  if (first === undefined) throw new Error("no row");
  const row = { transaction_hash: first.transactionHash, proxy_wallet: first.wallet.address };
  observed.sent([row], 1_000);
  observed.sent([row], 2_000);
  expect(observed.read().sentAtMs[0]).toBe(1_000);
  const shownMs = visibleAtMs(first.timestamp);
  observed.readActivity(first.wallet.address, shownMs - 1);
  expect(observed.read().followedUp).toEqual([]);
  observed.readActivity(first.wallet.address, shownMs + 700);
  expect(observed.read().followedUp[0]).toEqual([first.wallet.address, 700]);
});
