import { beforeAll, describe, expect, test } from "vitest";
import { reconcileRecording, type Reconciliation } from "../../../../scripts/reconcile/reconcile-recording.ts";
import { isComparable, totalOf } from "../../../../scripts/reconcile/summarize.ts";
import { hasRecorded, RECORDED } from "../../../support/recorded-lines.ts";

const FOUR_CLOSED = "0x0afc7ce56285bde1fbe3a75efaffdfc86d6530b2";
/** What a first, independent calculation came to, of the provider's total. */
const FIRST_CALCULATION = 0.000_016;

describe.runIf(hasRecorded)("the recorded wallets", () => {
  let result: Reconciliation;
  beforeAll(async () => {
    result = await reconcileRecording(RECORDED);
  }, 60_000);

  test("every position with complete history is explained, to the last printed digit, and nothing else is agreement", () => {
    const { summary, positions, failures, totals } = result;
    expect(failures).toEqual([]);
    expect(summary).toMatchObject({ complete: 5, explainedShare: 1, replayedShare: 1, unroundedWithinCentShare: 1, unreadableRows: 0 });
    expect(positions.filter((one) => !isComparable(one)).map(({ reason }) => reason)).toEqual([
      "not comparable",
      "not comparable",
      "missing history",
    ]);
    // Every wallet of the lists of totals, and not one of them compared.
    expect(totals.filter(({ figure }) => figure === "lifetime profit")).toHaveLength(1473);
  });

  test("four closed positions with all their fills come nearer to the provider's total than the first calculation", () => {
    const { positions } = result;
    const closed = positions.filter(({ position }) => position.wallet === FOUR_CLOSED);
    expect(closed.map(({ reason }) => reason).sort()).toEqual(["agrees", "provider rounding", "provider rounding", "provider rounding"]);
    const sum = (of: "oursMicro" | "theirsMicro") => closed.reduce((total, position) => total + Number(totalOf(position, of)), 0);
    expect(Math.abs(sum("oursMicro") / sum("theirsMicro") - 1)).toBeLessThan(FIRST_CALCULATION);
  });

  test("the formulas for the provider's figures hold on every row that can decide them", () => {
    const { definitions } = result;
    expect(definitions.filter(({ holds, rows }) => rows === 0 || holds !== rows)).toEqual([]);
  });
});
