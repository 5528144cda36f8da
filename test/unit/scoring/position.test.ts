import { describe, expect, test } from "vitest";
import { applyMovement, EMPTY_POSITION, settledMicro, type Movement } from "../../../src/scoring/position.ts";

const shares = (n: number) => BigInt(Math.round(n * 1e6));
const usd = shares;

function movement(kind: Movement["kind"], q: number, dollars: number, fee: number | null = null): Movement {
  return { kind, sharesMicro: shares(q), usdMicro: usd(dollars), feeMicro: fee === null ? null : usd(fee) };
}

function fold(...movements: Movement[]) {
  let state = EMPTY_POSITION;
  const realized = movements.map((m) => {
    const applied = applyMovement(state, m);
    state = applied.state;
    return applied.realizedMicro;
  });
  return { state, realized };
}

describe("average cost", () => {
  // By hand: 100 at 0.40 and 50 at 0.70 cost 75 for 150, so 0.50 each; selling 60 at 0.65 brings 39 against 30.
  test("a sale realizes proceeds less the average cost of the shares sold", () => {
    const { state, realized } = fold(movement("buy", 100, 40), movement("buy", 50, 35), movement("sell", 60, 39));
    expect(realized).toEqual([null, null, usd(9)]);
    expect(state).toMatchObject({ sharesMicro: shares(90), costMicro: usd(45), realizedMicro: usd(9) });
  });

  test("selling everything leaves no cost behind, whatever the rounding on the way", () => {
    const { state } = fold(movement("buy", 3, 1), movement("sell", 1, 0.5), movement("sell", 1, 0.5), movement("sell", 1, 0.5));
    expect(state).toMatchObject({ sharesMicro: 0n, costMicro: 0n, realizedMicro: usd(0.5) });
  });

  test("shares sold without a recorded purchase realize nothing and are counted as unmatched", () => {
    const { state, realized } = fold(movement("sell", 10, 9));
    expect(realized).toEqual([null]);
    expect(state).toMatchObject({
      realizedMicro: 0n,
      unmatchedSharesMicro: shares(10),
      unmatchedUsdMicro: usd(9),
      soldSharesMicro: shares(10),
    });
  });

  // 10 bought at 0.20; of 40 sold at 0.50 only those 10 have a basis: 5 - 2 = 3.
  test("a sale beyond the holding realizes on the held part only", () => {
    const { state, realized } = fold(movement("buy", 10, 2), movement("sell", 40, 20));
    expect(realized[1]).toBe(usd(3));
    // Of the 20 dollars 5 are for those 10, and the other 15 are booked nowhere.
    expect(state).toMatchObject({ sharesMicro: 0n, unmatchedSharesMicro: shares(30), unmatchedUsdMicro: usd(15) });
  });

  // A split gives 100 of each side for 100 dollars: 50 each. Selling one side at 0.30 loses 20, merging is not a trade.
  test("splits and merges move shares at half a dollar and are no trading volume", () => {
    const { state, realized } = fold(movement("split", 100, 50), movement("sell", 40, 12), movement("merge", 60, 30));
    expect(realized).toEqual([null, usd(-8), 0n]);
    expect(state).toMatchObject({ boughtUsdMicro: 0n, soldUsdMicro: usd(12), sharesMicro: 0n, costMicro: 0n });
  });

  test("fees are summed apart and an unknown fee adds nothing", () => {
    const { state } = fold(movement("buy", 10, 5, 0.125), movement("sell", 5, 4, null));
    expect(state).toMatchObject({ feesMicro: usd(0.125), realizedMicro: usd(1.5) });
  });
});

describe("settlement", () => {
  const held = { sharesMicro: shares(90), costMicro: usd(45) };

  test.each([
    ["won", 1_000_000, usd(45)],
    ["lost", 0, usd(-45)],
    ["split evenly", 500_000, 0n],
  ])("a holding that %s makes its payout less its cost", (_, payoutPpm, expected) => {
    expect(settledMicro(held, payoutPpm)).toBe(expected);
  });
});
