import { CANDLE_MIN_SHARES_MICRO } from "./parameters.ts";

export type CandleResolution = "1d" | "1w";

/** One fill of one outcome token. */
export interface PricedFill {
  readonly tradedAtMs: number;
  /** Order within one instant; the provider tells seconds only, so any fixed order does. */
  readonly sequence: number;
  /** 0 to 1. */
  readonly price: number;
  readonly sharesMicro: bigint;
}

/** First, highest, lowest and last price of one bucket, 0 to 1. */
export interface PriceCandle {
  /** Start of the bucket, Unix seconds. */
  readonly t: number;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
}

/**
 * Candles of one outcome, oldest first: one for each UTC day, or ISO week from Monday, in which it traded. A bucket without a trade is left
 * out: nobody can say what its prices were. Fills under a hundredth of a share make no price.
 */
export function candlesOf(fills: readonly PricedFill[], resolution: CandleResolution): readonly PriceCandle[] {
  const candles = new Map<number, PriceCandle>();
  const ordered = fills.filter((fill) => fill.sharesMicro >= CANDLE_MIN_SHARES_MICRO);
  ordered.sort((a, b) => a.tradedAtMs - b.tradedAtMs || a.sequence - b.sequence);
  for (const { tradedAtMs, price } of ordered) {
    const t = bucketStart(tradedAtMs, resolution);
    const { o, h, l } = candles.get(t) ?? { o: price, h: price, l: price };
    candles.set(t, { t, o, h: Math.max(h, price), l: Math.min(l, price), c: price });
  }
  return [...candles.values()];
}

/** Start of the bucket that an instant belongs to, in Unix seconds: UTC midnight, of Monday for weeks. */
export function bucketStart(atMs: number, resolution: CandleResolution): number {
  const day = Math.floor(atMs / DAY_MS);
  // 1970-01-01 was a Thursday: three days after a Monday.
  const first = resolution === "1d" ? day : Math.floor((day + 3) / 7) * 7 - 3;
  return first * DAY_SECONDS;
}

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
