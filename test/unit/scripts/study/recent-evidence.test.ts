import { expect, test } from "vitest";
import { TraderRecord } from "../../../../scripts/study/trader-record.ts";
import { designEffect } from "../../../../src/scoring/skill/raw-edge.ts";

const DAY = 86_400;

/** Events of one story, bought for 100 dollars at 0.50, of which the first have won. */
function settleNight(
  record: TraderRecord,
  day: number,
  story: number,
  { events, won }: { events: number; won: number },
) {
  for (let event = 0; event < events; event += 1) {
    const cluster = story * 100 + event;
    const bet = { cluster, story, market: cluster, outcome: 0, price: 0.5, usd: 100, payout: event < won ? 1 : 0 };
    record.settle([{ ...bet, isSale: false, isMaker: false, close: null }], day * DAY);
  }
}

// Computed by hand: a cluster has w v = 0.25, w² v = 0.25 and a root of 0.5. Pairs are counted in both orders: 4 * 3 * 0.25 = 3 of one
// story of four, and 3 * 2 * 0.25 = 1.5 of one of three.
test("recent evidence has the pairs of its own stories", () => {
  const record = new TraderRecord();
  settleNight(record, 0, 1, { events: 4, won: 3 });
  settleNight(record, 20, 2, { events: 4, won: 4 });
  settleNight(record, 30, 3, { events: 3, won: 0 });
  settleNight(record, 31, -1, { events: 5, won: 0 });
  expect(record.evidence.published).toMatchObject({ clusters: 16, storyInformation: 7_500_000 });
  const { evidence, until } = record.recentEvidence(110 * DAY);
  expect(evidence).toMatchObject({
    clusters: 12,
    squareInformation: 3_000_000_000,
    // 4 * 3 * 0.5 * 0.5 of wins, 3 * 2 * 0.5 * 0.5 of losses.
    storyEdgeEdge: 4_500_000,
    // 4 * 3 * 0.5 * 0.25 less 3 * 2 * 0.5 * 0.25.
    storyEdgeVariance: 750_000,
    // 4 * 3 * 0.25² and 3 * 2 * 0.25².
    storyVarianceVariance: 1_125_000,
    storyInformation: 4_500_000,
  });
  // 1 + 0.2 * 4.5 / 3.
  expect(designEffect(evidence, 0.2)).toBeCloseTo(1.3, 12);
  expect(until).toBe((20 + 91) * DAY);
});
