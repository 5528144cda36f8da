import {
  FRESH_DAYS,
  FRESH_MARKETS,
  FRESH_WEIGHTS,
  FULL_MARKET_SHARE,
  FULL_SIZE_RATIO,
  SIZE_WEIGHTS,
  SLICE_FULL_COUNT,
} from "./parameters.ts";
import type { TraderBeforeTrade } from "./suspicion-input.ts";

/**
 * The size score of an amount, 0 to 100: up to 60 for its dollars, logarithmic from the capture floor to 200
 * times the floor, and up to 40 for its fraction of all shares traded in the market, full at 10 %. An unknown
 * fraction adds nothing.
 *
 * @param amountUsd 0 or more
 * @param floorUsd above 0
 */
export function sizeComponent(amountUsd: number, floorUsd: number, marketVolumeShare: number | null): number {
  const dollars = toUnit(Math.log(amountUsd / floorUsd) / Math.log(FULL_SIZE_RATIO));
  return (
    SIZE_WEIGHTS.dollars * dollars + SIZE_WEIGHTS.marketShare * toUnit((marketVolumeShare ?? 0) / FULL_MARKET_SHARE)
  );
}

/**
 * How new a trader is, 0 to 100: up to 50 for its age (none at 30 days), up to 30 for few earlier markets
 * (none at 20), up to 20 for the trade's fraction of all it has ever traded.
 *
 * @returns null when the trader's history is unknown
 */
export function freshComponent(trader: TraderBeforeTrade | null, sizeUsd: number): number | null {
  if (trader === null) return null;
  return (
    FRESH_WEIGHTS.age * toUnit(1 - trader.ageDays / FRESH_DAYS) +
    FRESH_WEIGHTS.fewMarkets * toUnit(1 - trader.markets / FRESH_MARKETS) +
    FRESH_WEIGHTS.conviction * convictionShare(trader, sizeUsd)
  );
}

/** The trade's fraction of its trader's total volume, itself included; 0 to 1. */
export function convictionShare({ volumeUsd }: TraderBeforeTrade, sizeUsd: number): number {
  const all = volumeUsd + sizeUsd;
  return all <= 0 ? 0 : toUnit(sizeUsd / all);
}

/** How finely a position was sliced, 0 to 100: logarithmic from one slice to thirty. `count` is 0 or more. */
export function slicingComponent(count: number): number {
  return 100 * toUnit(Math.log(count) / Math.log(SLICE_FULL_COUNT));
}

/** Adding zero turns a negative zero into zero. */
const toUnit = (value: number): number => Math.min(1, Math.max(0, value)) + 0;
