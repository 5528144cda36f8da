import fc from "fast-check";
import { dayOfNumber } from "../../../support/oracles/day-of-number.ts";
import type { TraderDay } from "../../../../src/scoring/metrics/series/daily-series.ts";
import type { SettledMarket } from "../../../../src/scoring/metrics/settled-market.ts";

/** Consecutive days from 2026-01-01 with these results in dollars, each on the same capital. */
export function daysOf(pnlUsd: readonly number[], capitalUsd: number | null = 100): TraderDay[] {
  return pnlUsd.map((pnl, index) => ({
    day: dayOfNumber(JANUARY_1_2026 + index),
    pnlMicro: usd(pnl),
    capitalMicro: capitalUsd === null ? null : usd(capitalUsd),
  }));
}

/** 2026-01-01 is 56 years and 14 leap days after 1970-01-01. */
export const JANUARY_1_2026 = 56 * 365 + 14;

export const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1e6));

export function settledMarket(overrides: Partial<SettledMarket> = {}): SettledMarket {
  return {
    conditionId: "0x1",
    category: "Politics",
    game: null,
    costMicro: usd(100),
    pnlMicro: usd(10),
    settledAtMs: 0,
    entryPrice: 0.5,
    payout: 1,
    ...overrides,
  };
}

/** Any value that the columns can store: money is a 64-bit integer. */
const anyMicro = fc.oneof(fc.constant(0n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(-5n, 5n));
const anyCostMicro = fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 63n - 1n), fc.bigInt(0n, 5n));
export const anyPrice = fc.oneof(fc.constantFrom(0, 1, 1e-6, 0.5), fc.double({ min: 0, max: 1, noNaN: true }));

export const anyDays = fc.uniqueArray(fc.integer({ min: 0, max: 90 }), { maxLength: 60 }).chain((numbers) =>
  fc.tuple(
    ...numbers.map((number) =>
      fc.record({
        day: fc.constant(dayOfNumber(JANUARY_1_2026 + number)),
        pnlMicro: anyMicro,
        capitalMicro: fc.option(anyCostMicro, { nil: null }),
      }),
    ),
  ),
);

export const anySettled = fc
  .array(
    fc.record({
      category: fc.option(fc.constantFrom("Politics", "Crypto", "Esports", "Soccer"), { nil: null }),
      game: fc.option(
        fc.constantFrom({ seriesSlug: "dota-2", name: "Dota 2" }, { seriesSlug: "valorant", name: "Valorant" }),
        {
          nil: null,
        },
      ),
      costMicro: anyCostMicro,
      pnlMicro: anyMicro,
      settledAtMs: fc.integer({ min: 0, max: 3 }),
      entryPrice: fc.option(anyPrice, { nil: null }),
      payout: fc.option(anyPrice, { nil: null }),
    }),
    { maxLength: 40 },
  )
  .map((markets) => markets.map((market, index): SettledMarket => ({ ...market, conditionId: `0x${index}` })));

/** Every number inside a value, at any depth. */
export function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}

/** Neither NaN, infinite nor negative zero. */
export const isPlain = (value: number): boolean => Number.isFinite(value) && !Object.is(value, -0);
