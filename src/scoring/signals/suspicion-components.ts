import {
  FRESH_DAYS,
  FRESH_MARKETS,
  FRESH_WEIGHTS,
  FULL_MARKET_SHARE,
  FULL_SIZE_RATIO,
  SIZE_WEIGHTS,
  SLICE_FULL_COUNT,
} from "./parameters.ts";
import type { WalletBefore } from "./suspicion-input.ts";

/**
 * How large an amount is, 0 to 100: up to 60 for its dollars, logarithmically from the capture floor to 200 times it, and up to 40 for its
 * share of all shares traded in the market, full at 10 %. An unknown share gives nothing.
 *
 * @param amountUsd 0 or more
 * @param floorUsd above 0
 */
export function sizeComponent(amountUsd: number, floorUsd: number, marketVolumeShare: number | null): number {
  const dollars = toUnit(Math.log(amountUsd / floorUsd) / Math.log(FULL_SIZE_RATIO));
  return SIZE_WEIGHTS.dollars * dollars + SIZE_WEIGHTS.marketShare * toUnit((marketVolumeShare ?? 0) / FULL_MARKET_SHARE);
}

/**
 * How new a wallet is to trading, 0 to 100: up to 50 for its age (none at 30 days), up to 30 for how few markets it knew (none at 20), up to
 * 20 for the trade's share of all it has ever traded.
 *
 * @returns null when the wallet's history is not known
 */
export function freshComponent(wallet: WalletBefore | null, sizeUsd: number): number | null {
  if (wallet === null) return null;
  return (
    FRESH_WEIGHTS.age * toUnit(1 - wallet.ageDays / FRESH_DAYS) +
    FRESH_WEIGHTS.fewMarkets * toUnit(1 - wallet.markets / FRESH_MARKETS) +
    FRESH_WEIGHTS.conviction * convictionShare(wallet, sizeUsd)
  );
}

/** The trade's share of all that its wallet has ever traded, itself included; 0 to 1. */
export function convictionShare({ volumeUsd }: WalletBefore, sizeUsd: number): number {
  const all = volumeUsd + sizeUsd;
  return all <= 0 ? 0 : toUnit(sizeUsd / all);
}

/** How finely a position was cut, 0 to 100: logarithmic from one slice to thirty. `count` is 0 or more. */
export function slicingComponent(count: number): number {
  return 100 * toUnit(Math.log(count) / Math.log(SLICE_FULL_COUNT));
}

/** Adding zero makes a negative zero a zero. */
const toUnit = (value: number): number => Math.min(1, Math.max(0, value)) + 0;
