import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketStart } from "../../../../src/scoring/signals/candles.ts";
import { candlesOf, type CandleFill } from "../../../support/oracles/candles.ts";

const at = (time: string): number => Date.parse(time);
const seconds = (time: string): number => at(time) / 1000;

const fill = (time: string, price: number, change: Partial<CandleFill> = {}): CandleFill => ({
  tradedAtMs: at(time),
  sequence: 0,
  price,
  sharesMicro: 1_000_000n,
  ...change,
});

describe("candles", () => {
  test("a candle has the first, highest, lowest and last price of its UTC day", () => {
    const fills = [
      fill("2026-11-20T23:59:59Z", 0.7),
      fill("2026-11-20T00:00:00Z", 0.5),
      fill("2026-11-20T12:00:00Z", 0.4),
      fill("2026-11-20T13:00:00Z", 0.9),
      fill("2026-11-21T00:00:00Z", 0.1),
    ];
    expect(candlesOf(fills, "1d")).toEqual([
      { t: seconds("2026-11-20T00:00:00Z"), o: 0.5, h: 0.9, l: 0.4, c: 0.7 },
      { t: seconds("2026-11-21T00:00:00Z"), o: 0.1, h: 0.1, l: 0.1, c: 0.1 },
    ]);
  });

  test("a weekly candle begins on Monday, also before 1970", () => {
    // 2026-11-16 and 1969-12-29 are Mondays.
    expect(bucketStart(at("2026-11-16T00:00:00Z"), "1w")).toBe(seconds("2026-11-16T00:00:00Z"));
    expect(bucketStart(at("2026-11-22T23:59:59.999Z"), "1w")).toBe(seconds("2026-11-16T00:00:00Z"));
    expect(bucketStart(at("2026-11-15T23:59:59Z"), "1w")).toBe(seconds("2026-11-09T00:00:00Z"));
    expect(bucketStart(at("2027-01-01T00:00:00Z"), "1w")).toBe(seconds("2026-12-28T00:00:00Z"));
    expect(bucketStart(0, "1w")).toBe(seconds("1969-12-29T00:00:00Z"));
  });

  test("days without a trade have no candle", () => {
    const fills = [fill("2026-11-20T00:00:00Z", 0.5), fill("2026-11-24T00:00:00Z", 0.6)];
    expect(candlesOf(fills, "1d").map((candle) => candle.t)).toEqual([
      seconds("2026-11-20T00:00:00Z"),
      seconds("2026-11-24T00:00:00Z"),
    ]);
    expect(candlesOf([], "1d")).toEqual([]);
  });

  test("a candle uses the given order of fills within one second", () => {
    const time = "2026-11-20T10:00:00Z";
    const [candle] = candlesOf([fill(time, 0.3, { sequence: 2 }), fill(time, 0.2, { sequence: 1 })], "1d");
    expect(candle).toMatchObject({ o: 0.2, c: 0.3 });
  });

  test("a candle ignores tiny fills, whose prices are distorted by rounding", () => {
    const dust = fill("2026-11-20T10:00:00Z", 1, { sharesMicro: 9_999n });
    expect(candlesOf([dust], "1d")).toEqual([]);
    expect(candlesOf([{ ...dust, sharesMicro: 10_000n }], "1d")).toHaveLength(1);
  });

  test("every price lies between a candle's low and high, for any order of fills, by day and by week", () => {
    const fills = fc
      .array(
        fc.record({ hour: fc.integer({ min: -500, max: 500 }), price: fc.double({ min: 0, max: 1, noNaN: true }) }),
      )
      .map((any) =>
        any.map(({ hour, price }, sequence): CandleFill => ({
          tradedAtMs: hour * 3_600_000,
          sequence,
          price,
          sharesMicro: 1_000_000n,
        })),
      );
    fc.assert(
      fc.property(fills, (any) => {
        for (const resolution of ["1d", "1w"] as const) {
          const candles = candlesOf(any, resolution);
          expect(candlesOf([...any].reverse(), resolution)).toEqual(candles);
          const length = resolution === "1d" ? 86_400 : 604_800;
          for (const { t, o, h, l, c } of candles) {
            const prices = any
              .filter((one) => Math.floor((one.tradedAtMs / 1000 - t) / length) === 0)
              .map((one) => one.price);
            expect([h, l]).toEqual([Math.max(...prices), Math.min(...prices)]);
            expect(prices).toContain(o);
            expect(prices).toContain(c);
          }
          expect(candles.map((candle) => candle.t)).toEqual(
            [...new Set(candles.map((candle) => candle.t))].sort((a, b) => a - b),
          );
        }
      }),
    );
  });
});
