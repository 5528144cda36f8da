import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { buildLeaderboard } from "../../../../src/ingest/read-models/build-leaderboard.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { boardOf } from "../../../support/ingest/worlds/built-lists.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const AT = new Date("2026-11-20T12:00:00Z");
const RANKED = { completeAt: AT, grade: "A" };
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;

const ranksOf = (board: Awaited<ReturnType<typeof boardOf>>) => board.map((row) => [row.rank, row.traderId]);

describe("excluded traders", () => {
  test.each([
    ["whose activity is not followed", { grade: "S" }],
    ["with an incomplete history", { grade: "S", isFollowed: true }],
    ["with a gap in its history", { grade: "S", completeAt: AT, gaps: ["conversion"] }],
    ["without a grade", { completeAt: AT }],
    ["of grade C", { completeAt: AT, grade: "C" }],
    ["of grade D", { completeAt: AT, grade: "D" }],
    ["of grade F", { completeAt: AT, grade: "F" }],
  ])("a trader %s is on no leaderboard", async (_, facts) => {
    const { db, openPool } = await createTestDatabase();
    const [excluded, included] = [await aSeededTrader(db, { ...facts, score: 99 }), await aSeededTrader(db, RANKED)];
    const market = await aMarket(db, { category: "Politics" });
    await aPosition(db, { trader: excluded, market, realizedMicro: usd(100) });
    await aPosition(db, { trader: included, market, realizedMicro: usd(1) });
    await inTransaction(openPool(), buildLeaderboard);
    for (const category of ["", "Politics"]) expect(ranksOf(await boardOf(db, category))).toEqual([[1, included.id]]);
  });
});

test("a leaderboard without graded traders is published empty", async () => {
  const { db, openPool } = await createTestDatabase();
  await aPosition(db, {
    trader: await aSeededTrader(db, { completeAt: AT }),
    market: await aMarket(db),
    realizedMicro: usd(1),
  });
  expect(await inTransaction(openPool(), buildLeaderboard)).toBe(true);
  expect(await boardOf(db)).toEqual([]);
});

test("every leaderboard ranks the traders of its category by score, whatever their profit", async () => {
  const { db, openPool } = await createTestDatabase();
  const [politics, crypto] = [await aMarket(db, { category: "Politics" }), await aMarket(db, { category: "Crypto" })];
  const scored = (grade: string, score: number) => aSeededTrader(db, { ...RANKED, grade, score });
  const [b, s, a] = [await scored("B", 60.5), await scored("S", 88.12), await scored("A", 60.51)];
  await aPosition(db, { trader: b, market: politics, realizedMicro: usd(500) });
  await aPosition(db, { trader: b, market: crypto, realizedMicro: usd(5) });
  await aPosition(db, { trader: s, market: politics, realizedMicro: usd(-3) });
  await aPosition(db, { trader: a, market: crypto, realizedMicro: usd(4) });
  await inTransaction(openPool(), buildLeaderboard);
  const order = async (category: string) => (await boardOf(db, category)).map((row) => row.traderId);
  expect(await order("")).toEqual([s.id, a.id, b.id]);
  expect(await boardOf(db, "Politics")).toMatchObject([
    { grade: "S", score: 88.12 },
    { grade: "B", score: 60.5 },
  ]);
  expect(await order("Politics")).toEqual([s.id, b.id]);
  expect(await order("Crypto")).toEqual([a.id, b.id]);
});

test("traders of equal score are ranked by the order in which they were first seen, each with its own rank", async () => {
  const { db, openPool } = await createTestDatabase();
  const market = await aMarket(db, { category: "Politics" });
  const ids: Record<70 | 80, number[]> = { 70: [], 80: [] };
  // Many traders with mixed scores, so that a sort by score alone would not keep their order.
  for (let n = 0; n < 40; n++) {
    const score = n % 2 === 0 ? 70 : 80;
    const wallet = await aSeededTrader(db, { ...RANKED, score });
    await aPosition(db, { trader: wallet, market, realizedMicro: usd(n) });
    ids[score].push(wallet.id);
  }
  await inTransaction(openPool(), buildLeaderboard);
  const expected = [...ids[80], ...ids[70]].map((id, index) => [index + 1, id]);
  for (const category of ["", "Politics"]) expect(ranksOf(await boardOf(db, category))).toEqual(expected);
});
