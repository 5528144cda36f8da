import fc from "fast-check";
import { expect, test } from "vitest";
import { compareLedgerEntries, type EntryOrderKey } from "../../../src/scoring/ledger-entry-order.ts";
import { applyEntry, EMPTY_POSITION, type FoldEntry } from "../../../src/scoring/position-fold.ts";
import { uniformValues } from "../../../src/scoring/uniform-values.ts";

/** One micro-share, odd sizes, and ten billion shares, the most that a row may have. */
const aSize = fc.oneof(fc.constant(1n), fc.bigInt(0n, 1_000n), fc.bigInt(1n, 10_000_000_000_000_000n));

// Computed by hand: 10 millionths over 4 questions are 2.5 each; the remaining two go to the first two
// questions.
test("a dollar per set is divided evenly, and the remainder goes to the first questions", () => {
  expect(uniformValues(10n, 4)).toEqual([3n, 3n, 2n, 2n]);
  expect(uniformValues(1n, 3)).toEqual([1n, 0n, 0n]);
  expect(uniformValues(3_000_000n, 3)).toEqual([1_000_000n, 1_000_000n, 1_000_000n]);
});

test("the value of the NO shares given minus the YES shares received equals the dollars paid, for any converted questions", () => {
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
          value * BigInt(values.length) - size < BigInt(values.length) &&
            size - value * BigInt(values.length) < BigInt(values.length),
        ).toBe(true);
      }
    }),
  );
});

const micro = (n: number) => BigInt(Math.round(n * 1e6));
const anEntry = (kind: FoldEntry["kind"], shares: number, usd: number): FoldEntry => ({
  kind,
  sharesMicro: micro(shares),
  usdMicro: micro(usd),
  feeMicro: null,
});

// Computed by hand: 90 NO for 72.00; 60 of them, with a cost of 48.00, leave at 2/3: 40.00. A loss of eight
// dollars, and 24.00 of cost remain.
test("a conversion realizes against the average cost of its NO shares and adds no trading volume", () => {
  const before = applyEntry(EMPTY_POSITION, anEntry("buy", 90, 72)).state;
  const { state, realizedMicro } = applyEntry(before, anEntry("convert_out", 60, 40));
  expect(realizedMicro).toBe(micro(-8));
  expect(state).toMatchObject({ sharesMicro: micro(30), costMicro: micro(24), soldSharesMicro: 0n, soldUsdMicro: 0n });
});

test("the YES shares of a conversion have a cost, realize nothing and add no trading volume", () => {
  const { state, realizedMicro } = applyEntry(EMPTY_POSITION, anEntry("convert_in", 60, 20));
  expect(realizedMicro).toBeNull();
  expect(state).toMatchObject({
    sharesMicro: micro(60),
    costMicro: micro(20),
    boughtSharesMicro: 0n,
    boughtUsdMicro: 0n,
    entryCount: 1,
  });
});

test("NO shares without a recorded buy are unmatched in a conversion", () => {
  const { state, realizedMicro } = applyEntry(EMPTY_POSITION, anEntry("convert_out", 60, 40));
  expect(realizedMicro).toBeNull();
  expect(state).toMatchObject({ sharesMicro: 0n, costMicro: 0n, unmatchedSharesMicro: micro(60) });
});

test("within a second, entries that add shares come before entries that remove them", () => {
  const kinds = ["sell", "convert_out", "merge", "convert_in", "buy", "split"] as const;
  const entries = kinds.map((kind): EntryOrderKey => ({
    tradedAtMs: 0,
    kind,
    txHash: "0x00",
    sharesMicro: 1n,
    ordinal: 0,
  }));
  const addingKinds = new Set<string>(["convert_in", "buy", "split"]);
  const order = entries.toSorted(compareLedgerEntries).map(({ kind }) => addingKinds.has(kind));
  expect(order).toEqual([true, true, true, false, false, false]);
});
