import { describe, expect, test } from "vitest";
import { pickOutcome } from "../../../../src/domain/picks/pick-outcome.ts";
import {
  closingLinePpm,
  returnMicro,
  summarizePicks,
  unitScorePpm,
  type RecordedPick,
} from "../../../../src/domain/picks/pick-record.ts";

test.each([
  [null, null],
  [[1_000_000, 0], "win"],
  [[0, 1_000_000], "loss"],
  [[500_000, 500_000], "void"],
  [[700_000, 300_000], "void"],
  [[], null],
])("the first outcome of a market with the payouts %j is %s", (payouts, outcome) => {
  expect(pickOutcome(payouts, 0)).toBe(outcome);
});

describe("the result of one pick", () => {
  test("a win returns the stake by its price, a loss nothing, a void pick its stake", () => {
    // 1000 / 0.62 = 1612.903225 dollars and a fraction.
    expect(returnMicro("win", "0.620000")).toBe(1_612_903_225n);
    expect(returnMicro("loss", "0.62")).toBe(0n);
    expect(returnMicro("void", null)).toBe(1_000_000_000n);
  });

  test("a pending pick and a win without a price have no return and no score", () => {
    expect(returnMicro(null, "0.5")).toBeNull();
    expect(returnMicro("win", null)).toBeNull();
    expect(unitScorePpm("win", null)).toBeNull();
  });

  test("the unit score is 1 / price - 1 for a win, -1 for a loss and 0 for a void pick", () => {
    expect(["win", "loss", "void"].map((outcome) => unitScorePpm(outcome as "win", "0.4"))).toEqual([
      1_500_000n,
      -1_000_000n,
      0n,
    ]);
  });

  test("closing-line value is close / entry - 1", () => {
    expect(closingLinePpm("0.5", "0.55")).toBe(100_000n);
    expect(closingLinePpm("0.55", "0.5")).toBe(-90_909n);
  });
});

const pick = (facts: Partial<RecordedPick>): RecordedPick => ({
  ...{ date: "2026-11-20", outcome: null, price: "0.5", closing: "pending", closePrice: null },
  ...facts,
});

describe("the record", () => {
  test("hit rate and profit count wins and losses only, and the last point of the series has the totals", () => {
    const record = summarizePicks([
      pick({ outcome: "win" }),
      pick({ outcome: "void" }),
      pick({ date: "2026-11-21", outcome: "loss" }),
      pick({ date: "2026-11-22", outcome: "win", price: "0.8" }),
      pick({ date: "2026-11-23" }),
    ]);
    expect(record).toMatchObject({ wins: 2, losses: 1, voids: 1, pending: 1 });
    expect(record).toMatchObject({ netMicro: 250_000_000n, stakedMicro: 3_000_000_000n });
    expect(record.series).toEqual([
      { date: "2026-11-20", netMicro: 1_000_000_000n, wins: 1, decided: 1 },
      { date: "2026-11-21", netMicro: 0n, wins: 1, decided: 2 },
      { date: "2026-11-22", netMicro: 250_000_000n, wins: 2, decided: 3 },
    ]);
  });

  test("a win without a price counts as a win, and in neither profit nor stakes", () => {
    const record = summarizePicks([pick({ outcome: "win", price: null }), pick({ outcome: "loss" })]);
    expect(record).toMatchObject({ wins: 1, netMicro: -1_000_000_000n, stakedMicro: 1_000_000_000n });
  });

  test("closing-line value is summarized over settled picks, and averaged from five measured ones on", () => {
    const measured = (closePrice: string) => pick({ outcome: "loss", price: "0.5", closing: "measured", closePrice });
    const four = [measured("0.55"), measured("0.45"), measured("0.5"), measured("0.6")];
    const others = [
      pick({ outcome: "win", closing: "unavailable" }),
      pick({ outcome: "win", closing: "not_applicable" }),
      pick({ closing: "pending" }),
    ];
    expect(summarizePicks([...four, ...others]).closing).toEqual({
      ...{ total: 6, measured: 4, pending: 0, unavailable: 1, notApplicable: 1, beats: 2, ties: 1 },
      ...{ averagePpm: null, averageMoveMicro: null },
    });
    expect(summarizePicks([...four, measured("0.65"), ...others]).closing).toMatchObject({
      ...{ measured: 5, averagePpm: 100_000n, averageMoveMicro: 50_000n },
    });
  });
});
