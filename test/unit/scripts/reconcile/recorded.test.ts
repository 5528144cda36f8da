import { beforeAll, describe, expect, test } from "vitest";
import { reconcileRecording, type Reconciliation } from "../../../../scripts/reconcile/reconcile-recording.ts";
import { isComparable, totalOf } from "../../../../scripts/reconcile/summarize.ts";
import { hasRecorded, RECORDED } from "../../../support/providers/recorded-lines.ts";

const FOUR_CLOSED = "0x0afc7ce56285bde1fbe3a75efaffdfc86d6530b2";
/** Relative error of a first, independent calculation of the provider's total. */
const FIRST_CALCULATION = 0.000_016;

describe.runIf(hasRecorded)("the recorded traders", () => {
  let result: Reconciliation;
  beforeAll(async () => {
    result = await reconcileRecording(RECORDED);
  }, 60_000);

  test("every recorded position with complete history is explained to the last printed digit, and no other counts as agreement", () => {
    const { summary, positions, failures, totals } = result;
    expect(failures).toEqual([]);
    expect(summary).toMatchObject({
      complete: 5,
      explainedShare: 1,
      replayedShare: 1,
      unroundedWithinCentShare: 1,
      unreadableRows: 0,
    });
    expect(positions.filter((one) => !isComparable(one)).map(({ reason }) => reason)).toEqual([
      "not comparable",
      "not comparable",
      "missing history",
    ]);
    // Every trader of the lists of totals; none of them is compared.
    expect(totals.filter(({ figure }) => figure === "lifetime profit")).toHaveLength(1473);
  });

  test("four closed positions with all fills are closer to the provider's total than the first calculation", () => {
    const { positions } = result;
    const closed = positions.filter(({ position }) => position.wallet === FOUR_CLOSED);
    expect(closed.map(({ reason }) => reason).sort()).toEqual([
      "agrees",
      "provider rounding",
      "provider rounding",
      "provider rounding",
    ]);
    const sum = (field: "oursMicro" | "theirsMicro") =>
      closed.reduce((total, position) => total + Number(totalOf(position, field)), 0);
    expect(Math.abs(sum("oursMicro") / sum("theirsMicro") - 1)).toBeLessThan(FIRST_CALCULATION);
  });

  test("the formulas of the provider's numbers hold on every row that can verify them", () => {
    const { definitions } = result;
    expect(definitions.filter(({ holds, rows }) => rows === 0 || holds !== rows)).toEqual([]);
  });
});
