import fc from "fast-check";
import { expect, test } from "vitest";
import { compareMovements, type Ordered } from "../../../src/scoring/movement-order.ts";
import { applyMovement, EMPTY_POSITION, type Movement } from "../../../src/scoring/position.ts";
import { uniformValues } from "../../../src/scoring/uniform-values.ts";

/** One micro-share, odd sizes, and ten billion shares, the most a row may say. */
const aSize = fc.oneof(fc.constant(1n), fc.bigInt(0n, 1_000n), fc.bigInt(1n, 10_000_000_000_000_000n));

// By hand: 10 millionths over 4 questions are 2.5 each; the two over go to the first two.
test("a dollar a set is divided evenly, and what does not divide goes to the first questions", () => {
  expect(uniformValues(10n, 4)).toEqual([3n, 3n, 2n, 2n]);
  expect(uniformValues(1n, 3)).toEqual([1n, 0n, 0n]);
  expect(uniformValues(3_000_000n, 3)).toEqual([1_000_000n, 1_000_000n, 1_000_000n]);
});

test("the NO shares given less the YES shares got are the dollars paid, for any questions converted of any event", () => {
  fc.assert(
    fc.property(aSize, fc.array(fc.boolean(), { minLength: 2, maxLength: 200 }), (size, isConverted) => {
      const values = uniformValues(size, isConverted.length);
      let balance = 0n;
      for (const [index, value] of values.entries()) balance += isConverted[index] ? size - value : -value;
      const n = BigInt(isConverted.filter(Boolean).length);
      expect(balance).toBe((n - 1n) * size);
      for (const value of values) {
        expect(value >= 0n && value <= size).toBe(true);
        // Within a micro-dollar of size / Q.
        expect(
          value * BigInt(values.length) - size < BigInt(values.length) && size - value * BigInt(values.length) < BigInt(values.length),
        ).toBe(true);
      }
    }),
  );
});

const micro = (n: number) => BigInt(Math.round(n * 1e6));
const movement = (kind: Movement["kind"], shares: number, usd: number): Movement => ({
  kind,
  sharesMicro: micro(shares),
  usdMicro: micro(usd),
  feeMicro: null,
});

// By hand: 90 NO for 72.00; 60 of them, which cost 48.00, leave at 2/3: 40.00. Eight dollars lost, 24.00 of cost left.
test("a conversion realizes against the average cost of the NO shares it takes, and is no trade", () => {
  const held = applyMovement(EMPTY_POSITION, movement("buy", 90, 72)).state;
  const { state, realizedMicro } = applyMovement(held, movement("convert_out", 60, 40));
  expect(realizedMicro).toBe(micro(-8));
  expect(state).toMatchObject({ sharesMicro: micro(30), costMicro: micro(24), soldSharesMicro: 0n, soldUsdMicro: 0n });
});

test("the YES shares it gives have a cost, realize nothing and are no trade", () => {
  const { state, realizedMicro } = applyMovement(EMPTY_POSITION, movement("convert_in", 60, 20));
  expect(realizedMicro).toBeNull();
  expect(state).toMatchObject({ sharesMicro: micro(60), costMicro: micro(20), boughtSharesMicro: 0n, boughtUsdMicro: 0n, entryCount: 1 });
});

test("NO shares that were never seen to come are unmatched when a conversion takes them", () => {
  const { state, realizedMicro } = applyMovement(EMPTY_POSITION, movement("convert_out", 60, 40));
  expect(realizedMicro).toBeNull();
  expect(state).toMatchObject({ sharesMicro: 0n, costMicro: 0n, unmatchedSharesMicro: micro(60) });
});

test("within a second, what adds shares comes before what takes them", () => {
  const kinds = ["sell", "convert_out", "merge", "convert_in", "buy", "split"] as const;
  const entries = kinds.map((kind): Ordered => ({ tradedAtMs: 0, kind, txHash: "0x00", sharesMicro: 1n, ordinal: 0 }));
  const adds = new Set<string>(["convert_in", "buy", "split"]);
  const order = entries.toSorted(compareMovements).map(({ kind }) => adds.has(kind));
  expect(order).toEqual([true, true, true, false, false, false]);
});
