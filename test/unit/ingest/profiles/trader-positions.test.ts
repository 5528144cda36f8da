import fc from "fast-check";
import { expect, test } from "vitest";
import type { Session } from "../../../../src/db/client.ts";
import { BoughtSums } from "../../../../src/ingest/profiles/bought-outcomes.ts";
import { readTraderPositions, WITHOUT_BITMAPS } from "../../../../src/ingest/profiles/load-trader-positions.ts";
import { storeCategorySkill } from "../../../../src/ingest/profiles/store-category-skill.ts";
import { MarketSums } from "../../../../src/ingest/profiles/trader-markets.ts";
import type { TraderPosition } from "../../../../src/ingest/profiles/trader-position.ts";
import { renderSql } from "../../../../src/db/sql.ts";

/** 10 shares bought for 4.00, settled at 1. */
const aPosition = (facts: Partial<TraderPosition> = {}): TraderPosition => ({
  ...{ traderId: 1, outcomeId: 1, marketId: 1, conditionId: "0x01", category: "Politics", game: null, cluster: 1 },
  ...{ boughtUsdMicro: 4_000_000n, boughtSharesMicro: 10_000_000n, given: null, pnlMicro: 6_000_000n, isMatched: true },
  ...{ isKnown: true, settledAtMs: 1_000, payoutPpm: 1_000_000, bets: null, firstAtMs: 1, lastAtMs: 2 },
  ...facts,
});

const sumMarkets = (positions: readonly TraderPosition[]) => {
  const sums = new MarketSums();
  for (const position of positions) sums.add(position);
  return sums.take();
};

const sumBought = (positions: readonly TraderPosition[]) => {
  const sums = new BoughtSums();
  for (const position of positions) sums.add(position);
  return sums.byCategory();
};

test("a combination whose legs are unknown is no market of its trader", () => {
  const markets = sumMarkets([aPosition(), aPosition({ marketId: 2, conditionId: "0x02", isKnown: false })]);
  expect(markets.map(({ conditionId }) => conditionId)).toEqual(["0x01"]);
});

test("both outcomes are averaged by their shares, and an unknown payout makes the average unknown", () => {
  const other = aPosition({ boughtUsdMicro: 21_000_000n, boughtSharesMicro: 30_000_000n, payoutPpm: 0 });
  // 25.00 for 40 shares, of which 10 pay 1.
  expect(sumMarkets([aPosition(), other])).toMatchObject([{ entryPrice: 0.625, payout: 0.25, isTwoSided: true }]);
  const unknown = { ...other, payoutPpm: null };
  for (const both of [
    [aPosition(), unknown],
    [unknown, aPosition()],
  ])
    expect(sumMarkets(both)).toMatchObject([{ entryPrice: 0.625, payout: null }]);
});

test("the payout of a market is exactly 1 however many shares there are", () => {
  const shares = 9_007_199_254_740_993n;
  const huge = aPosition({ boughtSharesMicro: shares, boughtUsdMicro: shares });
  expect(sumMarkets([huge])).toMatchObject([{ entryPrice: 1, payout: 1 }]);
});

test("the outcomes of a market are summed however far apart they are, and markets are in the order of condition ids", () => {
  const others = [3, 2].map((marketId) => aPosition({ marketId, conditionId: `0x0${marketId}` }));
  const open = aPosition({ settledAtMs: null, payoutPpm: null, pnlMicro: -1n });
  expect(sumMarkets([aPosition(), ...others, open])).toMatchObject([
    { conditionId: "0x01", costMicro: 8_000_000n, pnlMicro: 5_999_999n, settledAtMs: null, isTwoSided: true },
    { conditionId: "0x02", pnlMicro: 6_000_000n, settledAtMs: 1_000, isTwoSided: false },
    { conditionId: "0x03", pnlMicro: 6_000_000n, settledAtMs: 1_000, isTwoSided: false },
  ]);
});

test("shares that only a conversion or a split gave were not bought, and categories are in order", () => {
  const given = { usdMicro: 1_000_000n, sharesMicro: 2_000_000n, hasSplit: true, hasConversion: false };
  const bought = sumBought([
    aPosition({ marketId: 2, category: "Sports" }),
    aPosition(),
    aPosition({ marketId: 3, boughtSharesMicro: 0n, boughtUsdMicro: 0n, given }),
    aPosition({ marketId: 4, category: null }),
  ]);
  expect([...bought].map(([category, sums]) => [category, [...sums.resolvedMarkets]])).toEqual([
    ["Politics", [1]],
    ["Sports", [2]],
  ]);
});

/** A row of the statement, of these ids and prices. */
const aRow = (traderId: number, outcomeId: number, usdMicro: number) => ({
  ...{ trader_id: String(traderId), outcome_id: String(outcomeId), market_id: String(outcomeId % 7) },
  ...{ condition_id: `0x${outcomeId % 7}`, category: ["Politics", "Golf", null][(outcomeId % 7) % 3] ?? null },
  ...{ esports_tags: null, cluster: String((outcomeId % 7) >> 1), is_known: outcomeId % 7 !== 6 },
  ...{ bought_usd_micro: String(usdMicro), bought_shares_micro: String(3 * usdMicro + outcomeId) },
  ...{ given_usd_micro: null, given_shares_micro: null, has_split: null, has_conversion: null },
  ...{ pnl_micro: String(outcomeId - 5), is_matched: outcomeId % 11 !== 0, settled_ms: outcomeId % 7 },
  ...{ payout_ppm: outcomeId % 2 === 0 ? 1_000_000 : 333_333, bets_usd_micro: String(1 + (outcomeId % 7)) },
  ...{ bets_edge_micro: String((outcomeId % 7) - 3), first_ms: outcomeId, last_ms: outcomeId + 0.5 },
});

/** A session whose statements read the parts of these rows, which are in the order of traders and outcomes. */
function aSession(rows: readonly ReturnType<typeof aRow>[]) {
  const parts: number[] = [];
  const session = {
    execute: async (statement: Parameters<typeof renderSql>[0]) => {
      if (statement === WITHOUT_BITMAPS) return { rows: [] };
      const [ids, after, limit] = renderSql(statement).params;
      const traderIds = String(ids).slice(1, -1).split(",");
      const part = rows
        .filter((row) => traderIds.includes(row.trader_id) && Number(row.outcome_id) > Number(after))
        .slice(0, Number(limit));
      parts.push(part.length);
      return { rows: part };
    },
  };
  // Reads call nothing but `execute`.
  return { session: session as unknown as Session, parts };
}

async function readAll(session: Session, traderIds: readonly number[], partSize?: number) {
  const positions: TraderPosition[] = [];
  for await (const part of readTraderPositions(session, traderIds, "2026-11-20", partSize)) positions.push(...part);
  return positions;
}

test("positions in parts of any size are all positions in their order, with the same figures to the last digit", async () => {
  const anyRows = fc
    .uniqueArray(fc.record({ trader: fc.integer({ min: 1, max: 4 }), outcome: fc.integer({ min: 1, max: 30 }) }), {
      maxLength: 40,
      selector: ({ trader, outcome }) => 100 * trader + outcome,
    })
    .map((keys) =>
      keys
        .toSorted((a, b) => a.trader - b.trader || a.outcome - b.outcome)
        .map(({ trader, outcome }) => aRow(trader, outcome, 1 + ((outcome * 7919) % 1009))),
    );
  await fc.assert(
    fc.asyncProperty(anyRows, fc.integer({ min: 1, max: 45 }), async (rows, partSize) => {
      const whole = await readAll(aSession(rows).session, [3, 1, 4, 2]);
      expect(whole.map((row) => [row.traderId, row.outcomeId])).toEqual(
        rows.map((row) => [Number(row.trader_id), Number(row.outcome_id)]),
      );
      const { session, parts } = aSession(rows);
      const inParts = await readAll(session, [3, 1, 4, 2], partSize);
      expect(Math.max(...parts)).toBeLessThanOrEqual(partSize);
      expect(inParts).toEqual(whole);
      expect(sumMarkets(inParts)).toEqual(sumMarkets(whole));
      expect(storeCategorySkill(sumBought(inParts))).toEqual(storeCategorySkill(sumBought(whole)));
    }),
  );
});

test("fewer positions than a part take one statement, and one trader takes one statement more than full parts", async () => {
  const rows = Array.from({ length: 10 }, (_, n) => aRow(n < 4 ? 1 : 2, n + 1, 100));
  const small = aSession(rows);
  await readAll(small.session, [1, 2], 11);
  expect(small.parts).toEqual([10]);
  const large = aSession(rows);
  await readAll(large.session, [2], 3);
  expect(large.parts).toEqual([3, 3, 0]);
  // The first part cuts the second trader.
  const cut = aSession(rows);
  await readAll(cut.session, [1, 2], 5);
  expect(cut.parts).toEqual([5, 5, 0]);
});
