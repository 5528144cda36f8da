import { expect, test } from "vitest";
import type { ComparedPosition } from "../../../../scripts/reconcile/compared-position.ts";
import { summarize } from "../../../../scripts/reconcile/summarize.ts";

/** A complete position with one number, which is $100 at the provider. */
function aCompared(oursUsd: number, theirsUsd = 100): ComparedPosition {
  const [oursMicro, theirsMicro] = [BigInt(oursUsd * 1e6), BigInt(theirsUsd * 1e6)];
  const differenceMicro = oursMicro - theirsMicro;
  return {
    position: { stepMicro: 100n } as ComparedPosition["position"],
    history: {
      movements: 1,
      boughtMicro: 1n,
      theirBoughtMicro: 1n,
      openSharesMicro: 0n,
      theirOpenSharesMicro: 0n,
      isComplete: true,
    },
    figures: [
      {
        name: "realized",
        oursMicro,
        theirsMicro,
        differenceMicro,
        allowedMicro: 10_000n,
        unexplainedMicro: -differenceMicro,
      },
    ],
    replayedAverageMicro: 0n,
    reason: "agrees",
    why: "",
  };
}

test("median and 95th percentile are nearest ranks of the relative errors", () => {
  // Errors from 1 % to 20 %: the 10th and the 19th.
  const positions = Array.from({ length: 20 }, (_, index) => aCompared(101 + index));
  const summary = summarize(positions.reverse(), [], []);
  expect(summary.medianRelativeError).toBeCloseTo(0.1, 12);
  expect(summary.p95RelativeError).toBeCloseTo(0.19, 12);
});

test("a provider number of 0 has no relative error, and a loss is measured by its size", () => {
  const summary = summarize([aCompared(1, 0), aCompared(-99, -100)], [], []);
  expect([summary.medianRelativeError, summary.p95RelativeError]).toEqual([0.01, 0.01]);
  expect(summarize([aCompared(1, 0)], [], []).medianRelativeError).toBeNull();
});

test("positions with missing history or transfers are excluded from the shares", () => {
  const moved: ComparedPosition = { ...aCompared(150), reason: "transfer" };
  const base = aCompared(150);
  const missing: ComparedPosition = {
    ...base,
    history: { ...base.history, isComplete: false },
    reason: "missing history",
  };
  const summary = summarize([aCompared(100), moved, missing], [], []);
  expect(summary).toMatchObject({ positions: 3, complete: 1, withinCentShare: 1, explainedShare: 1 });
  expect(summary.byReason).toMatchObject({ agrees: 1, transfer: 1, "missing history": 1, unknown: 0 });
});

test("a share of nothing is null, not 0", () => {
  expect(summarize([], [], [])).toMatchObject({
    complete: 0,
    withinCentShare: null,
    explainedShare: null,
    p95RelativeError: null,
  });
});

test("rows of unknown shapes do not count as read, and trades that the product refuses are unreadable", () => {
  const files = [
    { name: "a", shape: "v1 trades", rows: 10, unreadable: ["price: expected a number"] },
    { name: "b", shape: null, rows: 99, unreadable: [] },
  ];
  expect(summarize([], files, ["size: expected an amount of at least 0"])).toMatchObject({
    readRows: 10,
    unreadableRows: 2,
  });
});
