import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { buildLeaderboard } from "../../../../src/ingest/read-models/leaderboard.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { boardOf } from "../../../support/ingest/built-lists.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/positions.ts";
import { aWallet } from "../../../support/seed/wallets.ts";

const AT = new Date("2026-11-20T12:00:00Z");
const RANKED = { completeAt: AT, grade: "A" };
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;

const places = (board: Awaited<ReturnType<typeof boardOf>>) => board.map((row) => [row.rank, row.traderId]);

describe("who is left out, from every board", () => {
  test.each([
    ["whose activity is not followed", { grade: "S" }],
    ["whose activity has not been read to its end", { grade: "S", followed: true }],
    ["whose activity has a gap", { grade: "S", completeAt: AT, gaps: ["conversion"] }],
    ["without a grade", { completeAt: AT }],
    ["of grade C", { completeAt: AT, grade: "C" }],
    ["of grade D", { completeAt: AT, grade: "D" }],
    ["of grade F", { completeAt: AT, grade: "F" }],
  ])("a wallet %s", async (_, facts) => {
    const { db, openPool } = await createTestDatabase();
    const [out, whole] = [await aWallet(db, { ...facts, score: 99 }), await aWallet(db, RANKED)];
    const market = await aMarket(db, { category: "Politics" });
    await aPosition(db, { wallet: out, market, realizedMicro: usd(100) });
    await aPosition(db, { wallet: whole, market, realizedMicro: usd(1) });
    await inTransaction(openPool(), buildLeaderboard);
    for (const category of ["", "Politics"]) expect(places(await boardOf(db, category))).toEqual([[1, whole.id]]);
  });
});

test("while nobody is graded the board is there and empty", async () => {
  const { db, openPool } = await createTestDatabase();
  await aPosition(db, { wallet: await aWallet(db, { completeAt: AT }), market: await aMarket(db), realizedMicro: usd(1) });
  expect(await inTransaction(openPool(), buildLeaderboard)).toBe(true);
  expect(await boardOf(db)).toEqual([]);
});

test("every board ranks the wallets that traded in it by score, whatever they made", async () => {
  const { db, openPool } = await createTestDatabase();
  const [politics, crypto] = [await aMarket(db, { category: "Politics" }), await aMarket(db, { category: "Crypto" })];
  const scored = (grade: string, score: number) => aWallet(db, { ...RANKED, grade, score });
  const [b, s, a] = [await scored("B", 60.5), await scored("S", 88.12), await scored("A", 60.51)];
  await aPosition(db, { wallet: b, market: politics, realizedMicro: usd(500) });
  await aPosition(db, { wallet: b, market: crypto, realizedMicro: usd(5) });
  await aPosition(db, { wallet: s, market: politics, realizedMicro: usd(-3) });
  await aPosition(db, { wallet: a, market: crypto, realizedMicro: usd(4) });
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

test("wallets of equal score rank by who was seen first, each in a place of its own", async () => {
  const { db, openPool } = await createTestDatabase();
  const market = await aMarket(db, { category: "Politics" });
  const ids: Record<70 | 80, number[]> = { 70: [], 80: [] };
  // So many, and mixed, that a sort by score alone would not leave them as they come.
  for (let n = 0; n < 40; n++) {
    const score = n % 2 === 0 ? 70 : 80;
    const wallet = await aWallet(db, { ...RANKED, score });
    await aPosition(db, { wallet, market, realizedMicro: usd(n) });
    ids[score].push(wallet.id);
  }
  await inTransaction(openPool(), buildLeaderboard);
  const expected = [...ids[80], ...ids[70]].map((id, index) => [index + 1, id]);
  for (const category of ["", "Politics"]) expect(places(await boardOf(db, category))).toEqual(expected);
});
