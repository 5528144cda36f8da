import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { buildLeaderboard } from "../../../../src/ingest/read-models/leaderboard.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { boardOf } from "../../../support/ingest/built-lists.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/positions.ts";
import { aWallet } from "../../../support/seed/wallets.ts";

const AT = new Date("2026-11-20T12:00:00Z");
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;

const places = (board: Awaited<ReturnType<typeof boardOf>>) => board.map((row) => [row.rank, row.traderId]);

describe("who is left out, from every board", () => {
  test.each([
    ["is not followed", {}],
    ["has not been read to its end", { followed: true }],
    ["has a gap", { completeAt: AT, gaps: ["conversion"] }],
  ])("a wallet whose activity %s", async (_, facts) => {
    const { db, openPool } = await createTestDatabase();
    const [out, whole] = [await aWallet(db, facts), await aWallet(db, { completeAt: AT })];
    const market = await aMarket(db, { category: "Politics" });
    await aPosition(db, { wallet: out, market, realizedMicro: usd(100) });
    await aPosition(db, { wallet: whole, market, realizedMicro: usd(1) });
    await inTransaction(openPool(), buildLeaderboard);
    for (const category of ["", "Politics"]) expect(places(await boardOf(db, category))).toEqual([[1, whole.id]]);
  });
});

test("every board ranks by its own profit", async () => {
  const { db, openPool } = await createTestDatabase();
  const [politics, crypto] = [await aMarket(db, { category: "Politics" }), await aMarket(db, { category: "Crypto" })];
  const [first, second] = [await aWallet(db, { completeAt: AT }), await aWallet(db, { completeAt: AT })];
  await aPosition(db, { wallet: first, market: politics, realizedMicro: usd(5) });
  await aPosition(db, { wallet: first, market: crypto, realizedMicro: usd(-3) });
  await aPosition(db, { wallet: second, market: politics, realizedMicro: usd(4) });
  await inTransaction(openPool(), buildLeaderboard);
  const rank = async (category: string) => places(await boardOf(db, category));
  expect(await rank("")).toEqual([
    [1, second.id],
    [2, first.id],
  ]);
  expect(await rank("Politics")).toEqual([
    [1, first.id],
    [2, second.id],
  ]);
  expect(await rank("Crypto")).toEqual([[1, first.id]]);
});

test("wallets of equal profit rank by who was seen first, each in a place of its own", async () => {
  const { db, openPool } = await createTestDatabase();
  const market = await aMarket(db, { category: "Politics" });
  const ids: Record<1 | 2, number[]> = { 1: [], 2: [] };
  // So many, and mixed, that a sort by profit alone would not leave them as they come.
  for (let n = 0; n < 40; n++) {
    const wallet = await aWallet(db, { completeAt: AT });
    const dollars = n % 2 === 0 ? 1 : 2;
    await aPosition(db, { wallet, market, realizedMicro: usd(dollars) });
    ids[dollars].push(wallet.id);
  }
  await inTransaction(openPool(), buildLeaderboard);
  const expected = [...ids[2], ...ids[1]].map((id, index) => [index + 1, id]);
  for (const category of ["", "Politics"]) expect(places(await boardOf(db, category))).toEqual(expected);
});
