import { expect, test } from "vitest";
import { generateFills } from "../../../../../scripts/bench/live-size/history/generated-fills.ts";
import {
  MarketShapes,
  NEG_RISK_QUESTIONS,
  numberOfCondition,
  numberOfToken,
  tokenOf,
  zipfRank,
  type MarketShape,
} from "../../../../../scripts/bench/live-size/history/market-shapes.ts";
import { isCombination } from "../../../../../src/domain/ids.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 10, 2, 30);
const shapes = new MarketShapes(2_000, NOW_MS);
const markets = Array.from({ length: 2_000 }, (_, n) => shapes.at(n));
const ofKind = (kind: MarketShape["kind"]) => markets.filter((market) => market.kind === kind);
const fills = [...generateFills(shapes, { fills: 5_000, traders: 1_000 })];

test("of a hundred generated markets 70 last five minutes, 16 are of neg-risk events and one is a combination", () => {
  expect(ofKind("five_minute")).toHaveLength(1_400);
  expect(ofKind("neg_risk")).toHaveLength(320);
  expect(ofKind("binary")).toHaveLength(260);
  expect(ofKind("combination")).toHaveLength(20);
});

test("most generated markets have ended, and none has a result before its end", () => {
  const ended = markets.filter(({ endMs }) => endMs <= NOW_MS);
  expect(ended.length / markets.length).toBeGreaterThan(0.9);
  expect(ended.length).toBeLessThan(markets.length);
  expect(markets.every(({ resolvedMs, endMs, startMs }) => resolvedMs >= endMs && endMs > startMs)).toBe(true);
});

test("the five-minute markets of the history follow each other and the next ones begin when they end", () => {
  const last = Math.max(...ofKind("five_minute").map(({ endMs }) => endMs));
  expect(last).toBe(Date.UTC(2026, 10, 20, 10, 0));
  expect(ofKind("five_minute").every(({ startMs, endMs }) => endMs - startMs === 300_000)).toBe(true);
  const current = shapes.fiveMinuteAt(NOW_MS).map((n) => shapes.at(n));
  expect(current.map(({ startMs }) => startMs)).toEqual(Array.from({ length: 7 }, () => last));
  const next = shapes.fiveMinuteAt(NOW_MS + 300_000).map((n) => shapes.at(n));
  expect(next.map(({ n }) => n)).toEqual(current.map(({ n }) => n + 7));
  expect(next[0]?.startMs).toBe(current[0]?.endMs);
});

test("the questions of a neg-risk event share its times and exactly one wins", () => {
  const events = Map.groupBy(ofKind("neg_risk"), ({ event }) => event);
  expect(events.size).toBe(40);
  for (const questions of events.values()) {
    expect(questions).toHaveLength(NEG_RISK_QUESTIONS);
    expect(new Set(questions.map(({ endMs }) => endMs)).size).toBe(1);
    expect(questions.filter(({ winner }) => winner === 0)).toHaveLength(1);
  }
});

test("conditions and tokens lead back to their market, and only combinations have the condition ids of combinations", () => {
  for (const market of markets) {
    expect(numberOfCondition(market.conditionId)).toBe(market.n);
    expect(isCombination(market.conditionId)).toBe(market.kind === "combination");
  }
  for (const market of markets.filter(({ kind }) => kind !== "combination")) {
    expect(numberOfToken(tokenOf(market, 0))).toEqual({ n: market.n, outcome: 0 });
    expect(numberOfToken(tokenOf(market, 1))).toEqual({ n: market.n, outcome: 1 });
  }
  expect(new Set(markets.flatMap((market) => [tokenOf(market, 0), tokenOf(market, 1)])).size).toBe(4_000);
});

test("every rank by volume names another market that lasts longer than five minutes", () => {
  const ranked = Array.from({ length: shapes.ranks }, (_, rank) => shapes.at(shapes.ofRank(rank)));
  expect(new Set(ranked.map(({ n }) => n)).size).toBe(600);
  expect(ranked.some(({ kind }) => kind === "five_minute")).toBe(false);
});

test("ranks follow Zipf's law: each doubling of the rank has about as many draws as the one before", () => {
  const draws = Array.from({ length: 10_000 }, (_, n) => zipfRank((n + 0.5) / 10_000, 1_023));
  const countOf = (from: number, to: number) => draws.filter((rank) => rank + 1 >= from && rank + 1 < to).length;
  for (const from of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]) expect(countOf(from, 2 * from)).toBe(1_000);
});

test("no generated fill is outside the time of its market, and no trader sells more than it has bought", () => {
  const shares = new Map<string, number>();
  expect(fills).toHaveLength(5_000);
  for (const { trader, market, outcome, side, sharesMicro, usdMicro, priceMilli, atMs, n } of fills) {
    expect(atMs).toBeGreaterThanOrEqual(market.startMs);
    expect(atMs).toBeLessThan(Math.min(market.endMs, NOW_MS));
    expect(atMs % 1_000).toBe(0);
    expect(BigInt(usdMicro)).toBe((BigInt(sharesMicro) * BigInt(priceMilli)) / 1_000n);
    const key = `${trader} ${market.n} ${outcome}`;
    const after = (shares.get(key) ?? 0) + (side === "buy" ? sharesMicro : -sharesMicro);
    expect(after, `fill ${n}`).toBeGreaterThanOrEqual(0);
    shares.set(key, after);
  }
});

test("the same size generates the same fills", () => {
  const again = generateFills(new MarketShapes(2_000, NOW_MS), { fills: 5_000, traders: 1_000 });
  expect([...again].slice(-50)).toEqual(fills.slice(-50));
});
