import { describe, expect, test } from "vitest";
import { applyEntry, EMPTY_POSITION, settledMicro, type FoldEntry } from "../../../src/scoring/position-fold.ts";

const shares = (n: number) => BigInt(Math.round(n * 1e6));
const usd = shares;

function anEntry(kind: FoldEntry["kind"], q: number, dollars: number, fee: number | null = null): FoldEntry {
  return { kind, sharesMicro: shares(q), usdMicro: usd(dollars), feeMicro: fee === null ? null : usd(fee) };
}

function fold(...movements: FoldEntry[]) {
  let state = EMPTY_POSITION;
  const realized = movements.map((m) => {
    const applied = applyEntry(state, m);
    state = applied.state;
    return applied.realizedMicro;
  });
  return { state, realized };
}

describe("the average cost of a position", () => {
  // Computed by hand: 100 at 0.40 and 50 at 0.70 cost 75 for 150, so 0.50 each; selling 60 at 0.65 brings 39
  // against a cost of 30.
  test("a sell realizes its proceeds minus the average cost of the shares sold", () => {
    const { state, realized } = fold(anEntry("buy", 100, 40), anEntry("buy", 50, 35), anEntry("sell", 60, 39));
    expect(realized).toEqual([null, null, usd(9)]);
    expect(state).toMatchObject({ sharesMicro: shares(90), costMicro: usd(45), realizedMicro: usd(9) });
  });

  test("selling all shares leaves no cost, whatever the rounding before", () => {
    const { state } = fold(
      anEntry("buy", 3, 1),
      anEntry("sell", 1, 0.5),
      anEntry("sell", 1, 0.5),
      anEntry("sell", 1, 0.5),
    );
    expect(state).toMatchObject({ sharesMicro: 0n, costMicro: 0n, realizedMicro: usd(0.5) });
  });

  test("shares sold without a recorded buy realize nothing and count as unmatched", () => {
    const { state, realized } = fold(anEntry("sell", 10, 9));
    expect(realized).toEqual([null]);
    expect(state).toMatchObject({
      realizedMicro: 0n,
      unmatchedSharesMicro: shares(10),
      unmatchedUsdMicro: usd(9),
      soldSharesMicro: shares(10),
    });
  });

  // 10 bought at 0.20; of 40 sold at 0.50 only those 10 have a cost: 5 - 2 = 3.
  test("a sell of more than the open shares realizes only the matched part", () => {
    const { state, realized } = fold(anEntry("buy", 10, 2), anEntry("sell", 40, 20));
    expect(realized[1]).toBe(usd(3));
    // 5 of the 20 dollars are for those 10 shares; the other 15 are not realized.
    expect(state).toMatchObject({ sharesMicro: 0n, unmatchedSharesMicro: shares(30), unmatchedUsdMicro: usd(15) });
  });

  // A split gives 100 shares of each side for 100 dollars: 50 per side. Selling 40 of one side at 0.30 loses
  // 8; a merge is not a trade.
  test("splits and merges move shares at half a dollar and add no trading volume", () => {
    const { state, realized } = fold(anEntry("split", 100, 50), anEntry("sell", 40, 12), anEntry("merge", 60, 30));
    expect(realized).toEqual([null, usd(-8), 0n]);
    expect(state).toMatchObject({ boughtUsdMicro: 0n, soldUsdMicro: usd(12), sharesMicro: 0n, costMicro: 0n });
  });

  test("fees are summed separately, and an unknown fee adds nothing", () => {
    const { state } = fold(anEntry("buy", 10, 5, 0.125), anEntry("sell", 5, 4, null));
    expect(state).toMatchObject({ feesMicro: usd(0.125), realizedMicro: usd(1.5) });
  });
});

describe("the settlement of a position", () => {
  const openShares = { sharesMicro: shares(90), costMicro: usd(45) };

  test.each([
    ["won", 1_000_000, usd(45)],
    ["lost", 0, usd(-45)],
    ["split evenly", 500_000, 0n],
  ])("open shares that %s settle at their payout minus their cost", (_, payoutPpm, expected) => {
    expect(settledMicro(openShares, payoutPpm)).toBe(expected);
  });
});
