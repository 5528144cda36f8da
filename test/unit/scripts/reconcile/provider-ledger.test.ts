import fc from "fast-check";
import { expect, test } from "vitest";
import { foldMovements } from "../../../../scripts/reconcile/compare-position.ts";
import { gainAtPrice, mostRoundingMicro, replayProviderLedger } from "../../../../scripts/reconcile/provider-ledger.ts";
import { settledMicro, type Movement } from "../../../../src/scoring/position.ts";

const MICRO = 1_000_000n;

const move = (kind: Movement["kind"], shares: number, usd: number): Movement => ({
  kind,
  sharesMicro: BigInt(Math.round(shares * 1e6)),
  usdMicro: BigInt(Math.round(usd * 1e6)),
  feeMicro: null,
});

test("prices and the average are cut to millionths at every addition", () => {
  // 1/3 and 3/7 are cut to 0.333333 and 0.428571; (0.999999 + 2.999997) / 10 = 0.3999996 to 0.399999.
  const ledger = replayProviderLedger([move("buy", 3, 1), move("buy", 7, 3)]);
  expect(ledger).toEqual({ sharesMicro: 10n * MICRO, averageMicro: 399_999n, realizedMicro: 0n });
  expect(gainAtPrice(ledger, MICRO)).toBe(6_000_010n);
});

test("a sale beyond what is held counts only what is held, and a loss is cut toward zero", () => {
  // 2 held at 0.50; 5 sold at 0.333333: 2 * -0.166667 = -0.333334.
  const ledger = replayProviderLedger([move("buy", 2, 1), move("sell", 5, 1.666667)]);
  expect(ledger).toEqual({ sharesMicro: 0n, averageMicro: 500_000n, realizedMicro: -333_334n });
  const half = replayProviderLedger([move("buy", 1.5, 0.75), move("sell", 1.5, 0.4)]);
  // 1.5 * (0.266666 - 0.5) = -0.350001 exactly.
  expect(half.realizedMicro).toBe(-350_001n);
});

test("splits and merges are buys and sales", () => {
  const asTrades = replayProviderLedger([move("buy", 4, 2), move("sell", 1, 0.5)]);
  expect(replayProviderLedger([move("split", 4, 2), move("merge", 1, 0.5)])).toEqual(asTrades);
});

test("movements without shares change nothing", () => {
  expect(replayProviderLedger([move("buy", 0, 0), move("sell", 0, 0)])).toEqual({ sharesMicro: 0n, averageMicro: 0n, realizedMicro: 0n });
});

/** Movements at prices from 0 to 1, dust and millions of shares among them. */
const aMovement = fc
  .record({
    kind: fc.constantFrom("buy" as const, "sell" as const, "split" as const, "merge" as const),
    sharesMicro: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    ppm: fc.bigInt({ min: 0n, max: 10n ** 10n }),
  })
  .map(({ kind, sharesMicro, ppm }): Movement => ({ kind, sharesMicro, usdMicro: (sharesMicro * ppm) / 10n ** 10n, feeMicro: null }));

test("no history makes the provider's arithmetic leave ours by more than the bound", () => {
  const histories = fc.array(aMovement, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(histories, fc.constantFrom(0n, 500_000n, MICRO), (movements, priceMicro) => {
      const ledger = replayProviderLedger(movements);
      const state = foldMovements(movements);
      const theirs = ledger.realizedMicro + gainAtPrice(ledger, priceMicro);
      const ours = state.realizedMicro + settledMicro(state, Number(priceMicro));
      const difference = ours - theirs;
      const bound = mostRoundingMicro(movements);
      return difference <= bound && -difference <= bound;
    }),
    { numRuns: 500 },
  );
});
