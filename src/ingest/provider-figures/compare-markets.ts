import type { ProviderPosition } from "../../platform/provider.ts";
import type { MarketComparison } from "../../scoring/pnl-correction.ts";
import type { OwnMarketOutcome } from "./load-own-outcomes.ts";

/**
 * Every market of a trader that we or the provider know, with the data of both. A row that came twice
 * unchanged counts once.
 */
export function compareMarkets(
  own: readonly OwnMarketOutcome[],
  theirs: readonly ProviderPosition[],
): MarketComparison[] {
  const ownMarkets = Map.groupBy(own, ({ conditionId }) => conditionId);
  const theirMarkets = Map.groupBy(withoutRepeats(theirs), ({ conditionId }) => conditionId);
  return [...new Set([...ownMarkets.keys(), ...theirMarkets.keys()])].map((conditionId) => {
    const ours = ownMarkets.get(conditionId) ?? [];
    return {
      own: ours.map(({ outcome }) => outcome),
      theirs: theirMarkets.get(conditionId) ?? [],
      isFollowed: ours.every(({ isFollowed }) => isFollowed),
      isRedeemed: ours.some(({ isRedeemed }) => isRedeemed),
    };
  });
}

/**
 * Two different rows of a token were read at different times. Both stay, and their market is not measured.
 */
function withoutRepeats(rows: readonly ProviderPosition[]): readonly ProviderPosition[] {
  const seen = new Map(rows.map((row) => [Object.values(row).join(" "), row]));
  return [...seen.values()];
}
