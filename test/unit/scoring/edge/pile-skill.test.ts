import { describe, expect, test } from "vitest";
import { measurePileSkill, type HolderSkill } from "../../../../src/scoring/edge/pile-skill.ts";

const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;
const live = (dollars: number, edgeMean: number, edgeLower95: number, events: number): HolderSkill => ({
  usdMicro: usd(dollars),
  status: "live",
  events,
  edgeMean,
  edgeLower95,
});
const without = (status: HolderSkill["status"], dollars = 100): HolderSkill => ({
  usdMicro: usd(dollars),
  status,
  events: status === null ? null : 3,
  edgeMean: null,
  edgeLower95: null,
});

test("category skill is weighted by the dollars of the covered holders", () => {
  const skill = measurePileSkill([live(300, 0.04, 0.01, 20), live(100, 0.08, -0.02, 12), without("insufficient")]);
  expect(skill).toMatchObject({
    status: "live",
    eligibleHolders: 3,
    coveredHolders: 2,
    backedMicro: usd(500),
    coveredMicro: usd(400),
    coverage: 0.8,
    specialistMicro: usd(300),
    specialistShare: 0.6,
    largestShare: 0.6,
    minimumEvents: 12,
  });
  // (300 × 0.04 + 100 × 0.08) / 400 and (300 × 0.01 - 100 × 0.02) / 400.
  expect(skill.edgeMean).toBeCloseTo(0.05, 12);
  expect(skill.lowerMean).toBeCloseTo(0.0025, 12);
});

describe("without a live record", () => {
  test.for<[HolderSkill["status"][], string]>([
    [[null, null], "unknown"],
    [[null, "insufficient"], "insufficient"],
    [["insufficient", "degraded"], "degraded"],
    [["degraded", "stale", null], "stale"],
  ])("holders that are %j give %s, and the figures are null", ([statuses, status]) => {
    expect(measurePileSkill(statuses.map((one) => without(one)))).toMatchObject({
      status,
      coveredHolders: 0,
      coverage: 0,
      edgeMean: null,
      lowerMean: null,
      minimumEvents: null,
    });
  });
});

test("shares of a pile without dollars are null", () => {
  expect(measurePileSkill([without(null, 0)])).toMatchObject({
    coverage: null,
    specialistShare: null,
    largestShare: null,
  });
});
