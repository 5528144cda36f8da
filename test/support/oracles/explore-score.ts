import { priceMoveSignal } from "../../../src/scoring/signals/explore-score.ts";
import { logSignal } from "./log-signal.ts";
import {
  FULL_DAY_VOLUME_USD,
  FULL_LARGE_TRADES,
  FULL_LIQUIDITY_USD,
  FULL_SHARP_FLOW_USD,
  FULL_VOLUME_USD,
  MISSING_PRICE_PENALTY,
  RECENCY_HALF_LIFE_HOURS,
} from "../../../src/scoring/signals/parameters.ts";

/** The data of one market or event. Null is unknown. */
export interface ExploreScoreInput {
  readonly volumeUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly largeTradeCount: number | null;
  /** Hours since the newest large trade, null when there has been none; a future time counts as now. */
  readonly hoursSinceLargeTrade: number | null;
  readonly liquidityUsd: number | null;
  /** Net flow of graded traders over 24 hours, in dollars, signed. */
  readonly sharpNetUsd: number | null;
  /** Prices of YES now and 24 hours ago, 0 to 1. */
  readonly price: number | null;
  readonly price24hAgo: number | null;
}

/** Each signal is 0 to 1, null when its input is unknown; the penalty is 0 or more and always known. */
export interface ExploreSignals {
  readonly volumeSignal: number | null;
  readonly largeTradeSignal: number | null;
  readonly liquiditySignal: number | null;
  /** 1 at the newest large trade, halved every 24 hours. */
  readonly recencySignal: number | null;
  /** Absolute net flow of graded traders. */
  readonly sharpMoneySignal: number | null;
  /** Absolute price move in 24 hours; 1 at 20 points. Displayed only, not part of the score. */
  readonly priceMoveSignal: number | null;
  readonly missingPricePenalty: number;
  /** Volume of 24 hours; part of the trending score only. */
  readonly dayVolumeSignal: number | null;
}

/**
 * The parts of the explore scores, amounts on logarithmic scales. Source: names from the contract; the scales
 * are our own, version 1.
 */
export function exploreSignals(input: ExploreScoreInput): ExploreSignals {
  const { price, price24hAgo, hoursSinceLargeTrade: hours } = input;
  return {
    volumeSignal: logSignal(input.volumeUsd, FULL_VOLUME_USD),
    largeTradeSignal: logSignal(input.largeTradeCount, FULL_LARGE_TRADES),
    liquiditySignal: logSignal(input.liquidityUsd, FULL_LIQUIDITY_USD),
    recencySignal: hours === null ? null : 0.5 ** (Math.max(0, hours) / RECENCY_HALF_LIFE_HOURS),
    sharpMoneySignal: input.sharpNetUsd === null ? null : logSignal(Math.abs(input.sharpNetUsd), FULL_SHARP_FLOW_USD),
    priceMoveSignal: priceMoveSignal(price, price24hAgo),
    missingPricePenalty: price === null ? MISSING_PRICE_PENALTY : 0,
    dayVolumeSignal: logSignal(input.volume24hUsd, FULL_DAY_VOLUME_USD),
  };
}

/**
 * The discover score, 0 to 5: volume + large trades + liquidity + recency + sharp money - penalty for a
 * missing price. Unknown signals add nothing. A score below 0 is 0.
 *
 * @returns null when no signal is known
 * Source: the first four as in the contract's example, which had no sharp money and no penalty; adding those
 *   two is our own, version 1.
 */
export function discoverScore(signals: ExploreSignals): number | null {
  const { volumeSignal, largeTradeSignal, liquiditySignal, recencySignal, sharpMoneySignal, missingPricePenalty } =
    signals;
  const parts = [volumeSignal, largeTradeSignal, liquiditySignal, recencySignal, sharpMoneySignal];
  if (parts.every((part) => part === null)) return null;
  return Math.max(0, parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) - missingPricePenalty);
}

/**
 * The trending score, 0 to 2: volume of 24 hours + large trades x recency. Null when neither is known.
 * Source: our own design, version 1.
 */
export function trendingScore({ dayVolumeSignal, largeTradeSignal, recencySignal }: ExploreSignals): number | null {
  const trades = largeTradeSignal === null || recencySignal === null ? null : largeTradeSignal * recencySignal;
  return dayVolumeSignal === null && trades === null ? null : (dayVolumeSignal ?? 0) + (trades ?? 0);
}
