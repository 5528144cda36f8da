import type { ProviderPosition } from "../../ports/provider.ts";
import type { ComparedMarket } from "../../scoring/pnl-correction.ts";
import type { OwnMarketOutcome } from "./load-own-outcomes.ts";

/** Every market that either side knows of a wallet, with what each has of it. A row that came twice, unchanged, is one. */
export function compareMarkets(own: readonly OwnMarketOutcome[], theirs: readonly ProviderPosition[]): ComparedMarket[] {
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

/** Two rows of a token that differ were read at two times; both stay, and their market is not measured. */
function withoutRepeats(rows: readonly ProviderPosition[]): readonly ProviderPosition[] {
  const seen = new Map(rows.map((row) => [Object.values(row).join(" "), row]));
  return [...seen.values()];
}
