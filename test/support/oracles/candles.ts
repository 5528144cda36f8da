import { bucketStart, type CandleResolution } from "../../../src/scoring/signals/candles.ts";
import { CANDLE_MIN_SHARES_MICRO } from "../../../src/scoring/signals/parameters.ts";

/** First, highest, lowest and last price of one bucket, 0 to 1. */
export interface PriceCandle {
  /** Start of the bucket, Unix seconds. */
  readonly t: number;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
}

/** One fill of one outcome token. */
export interface CandleFill {
  readonly tradedAtMs: number;
  /** Order within one instant: the provider gives only seconds, so any fixed order is fine. */
  readonly sequence: number;
  /** 0 to 1. */
  readonly price: number;
  readonly sharesMicro: bigint;
}

/**
 * Candles of one outcome, oldest first: one for each UTC day, or ISO week from Monday, in which it traded.
 * Buckets without a trade are omitted, because their prices are unknown. Fills below a hundredth of a share
 * do not count.
 */
export function candlesOf(fills: readonly CandleFill[], resolution: CandleResolution): readonly PriceCandle[] {
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
