import fc from "fast-check";
import { expect, test } from "vitest";
import { foldEntries } from "../../../../scripts/reconcile/compare-position.ts";
import { gainAtPrice, maxRoundingMicro, replayProviderLedger } from "../../../../scripts/reconcile/provider-ledger.ts";
import { settledMicro, type FoldEntry } from "../../../../src/scoring/position-fold.ts";

const MICRO = 1_000_000n;

const move = (kind: FoldEntry["kind"], shares: number, usd: number): FoldEntry => ({
  kind,
  sharesMicro: BigInt(Math.round(shares * 1e6)),
  usdMicro: BigInt(Math.round(usd * 1e6)),
  feeMicro: null,
});

test("the provider's ledger truncates prices and the average to millionths at every addition", () => {
  // 1/3 and 3/7 are truncated to 0.333333 and 0.428571; (0.999999 + 2.999997) / 10 = 0.3999996 to 0.399999.
  const ledger = replayProviderLedger([move("buy", 3, 1), move("buy", 7, 3)]);
  expect(ledger).toEqual({ sharesMicro: 10n * MICRO, averageMicro: 399_999n, realizedMicro: 0n });
  expect(gainAtPrice(ledger, MICRO)).toBe(6_000_010n);
});

test("the provider's ledger counts a sell only up to the open shares and truncates a loss toward zero", () => {
  // 2 open at 0.50; 5 sold at 0.333333: 2 * -0.166667 = -0.333334.
  const ledger = replayProviderLedger([move("buy", 2, 1), move("sell", 5, 1.666667)]);
  expect(ledger).toEqual({ sharesMicro: 0n, averageMicro: 500_000n, realizedMicro: -333_334n });
  const half = replayProviderLedger([move("buy", 1.5, 0.75), move("sell", 1.5, 0.4)]);
  // 1.5 * (0.266666 - 0.5) = -0.350001 exactly.
  expect(half.realizedMicro).toBe(-350_001n);
});

test("the provider's ledger treats splits as buys and merges as sells", () => {
  const asTrades = replayProviderLedger([move("buy", 4, 2), move("sell", 1, 0.5)]);
  expect(replayProviderLedger([move("split", 4, 2), move("merge", 1, 0.5)])).toEqual(asTrades);
});

test("entries without shares do not change the provider's ledger", () => {
  expect(replayProviderLedger([move("buy", 0, 0), move("sell", 0, 0)])).toEqual({
    sharesMicro: 0n,
    averageMicro: 0n,
    realizedMicro: 0n,
  });
});

/** Entries at prices from 0 to 1, with tiny and very large amounts of shares. */
const anEntry = fc
  .record({
    kind: fc.constantFrom("buy" as const, "sell" as const, "split" as const, "merge" as const),
    sharesMicro: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    ppm: fc.bigInt({ min: 0n, max: 10n ** 10n }),
  })
  .map(({ kind, sharesMicro, ppm }): FoldEntry => ({
    kind,
    sharesMicro,
    usdMicro: (sharesMicro * ppm) / 10n ** 10n,
    feeMicro: null,
  }));

test("the provider's arithmetic never differs from ours by more than the bound", () => {
  const histories = fc.array(anEntry, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(histories, fc.constantFrom(0n, 500_000n, MICRO), (entries, priceMicro) => {
      const ledger = replayProviderLedger(entries);
      const state = foldEntries(entries);
      const theirs = ledger.realizedMicro + gainAtPrice(ledger, priceMicro);
      const ours = state.realizedMicro + settledMicro(state, Number(priceMicro));
      const difference = ours - theirs;
      const bound = maxRoundingMicro(entries);
      return difference <= bound && -difference <= bound;
    }),
    { numRuns: 500 },
  );
});
