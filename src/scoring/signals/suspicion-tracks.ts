import { reachesUsd } from "../dollar-floor.ts";
import {
  CONVICTION_MAX_MARKETS,
  CONVICTION_MAX_PRICE,
  CONVICTION_MIN_SHARE,
  CONVICTION_WEIGHTS,
  FRESH_DAYS,
  SLICED_WEIGHTS,
  SLICE_MAX_SHARE,
  SLICE_MIN_COUNT,
  SLICE_MIN_FLOORS,
  WHALE_MIN_MARKET_SHARE,
  WHALE_MIN_USD,
} from "./parameters.ts";
import { convictionShare, freshComponent, sizeComponent, slicingComponent } from "./suspicion-components.ts";
import type { SuspicionInput } from "./suspicion-input.ts";

export type SuspicionTrack = "whale" | "fresh_conviction" | "sliced_position";

/** The result of one track for a trade it admits. Scores are 0 to 100, unrounded. */
export interface TrackResult {
  readonly track: SuspicionTrack;
  readonly total: number;
  readonly size: number;
  /** Null when the trader's history is unknown. */
  readonly freshWallet: number | null;
  /** Only on the track sliced_position. */
  readonly slicing: number | null;
}

/**
 * The tracks that admit a trade. All need a known direction.
 *
 * - whale: at least 50,000 USD, or at least the capture floor and 5 % of its market. Total = size.
 * - fresh_conviction: at least the capture floor; a trader younger than 30 days with at most 10 other
 *   markets; at least half of its total volume; a price of at most 0.90 (a sale counts as buying the other
 *   side). Total = half size, half fresh wallet.
 * - sliced_position: at least 5 slices within 24 hours that back one side, together at least twice the
 *   capture floor, the largest at most 40 % of them. Total = 70 % size of the sum, 30 % slicing.
 *
 * Source: names from the contract; admission and weights are our own design, version 1.
 */
export function admittingTracks(input: SuspicionInput): readonly TrackResult[] {
  return [whaleTrack(input), freshConvictionTrack(input), slicedPositionTrack(input)].filter(
    (result) => result !== null,
  );
}

function whaleTrack({ sizeUsd, floorUsd, marketVolumeShare, trader }: SuspicionInput): TrackResult | null {
  const movesMarket = marketVolumeShare !== null && marketVolumeShare >= WHALE_MIN_MARKET_SHARE;
  if (!reachesUsd(sizeUsd, floorUsd) || !(movesMarket || reachesUsd(sizeUsd, WHALE_MIN_USD))) return null;
  const size = sizeComponent(sizeUsd, floorUsd, marketVolumeShare);
  return { track: "whale", total: size, size, freshWallet: freshComponent(trader, sizeUsd), slicing: null };
}

function freshConvictionTrack({
  side,
  price,
  sizeUsd,
  floorUsd,
  marketVolumeShare,
  trader,
}: SuspicionInput): TrackResult | null {
  const freshWallet = freshComponent(trader, sizeUsd);
  if (trader === null || freshWallet === null || !reachesUsd(sizeUsd, floorUsd)) return null;
  if (trader.ageDays >= FRESH_DAYS || trader.markets > CONVICTION_MAX_MARKETS) return null;
  if (
    convictionShare(trader, sizeUsd) < CONVICTION_MIN_SHARE ||
    (side === "BUY" ? price : 1 - price) > CONVICTION_MAX_PRICE
  )
    return null;
  const size = sizeComponent(sizeUsd, floorUsd, marketVolumeShare);
  const total = CONVICTION_WEIGHTS.size * size + CONVICTION_WEIGHTS.freshWallet * freshWallet;
  return { track: "fresh_conviction", total, size, freshWallet, slicing: null };
}

function slicedPositionTrack({ sizeUsd, floorUsd, trader, slices }: SuspicionInput): TrackResult | null {
  if (slices === null || slices.count < SLICE_MIN_COUNT || !reachesUsd(slices.totalUsd, SLICE_MIN_FLOORS * floorUsd))
    return null;
  if (slices.largestUsd > SLICE_MAX_SHARE * slices.totalUsd) return null;
  const size = sizeComponent(slices.totalUsd, floorUsd, slices.marketVolumeShare);
  const slicing = slicingComponent(slices.count);
  const total = SLICED_WEIGHTS.size * size + SLICED_WEIGHTS.slicing * slicing;
  return { track: "sliced_position", total, size, freshWallet: freshComponent(trader, sizeUsd), slicing };
}
