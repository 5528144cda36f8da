import type { BoughtOutcome } from "../../scoring/skill/category-skill.ts";
import type { TraderPosition } from "./load-trader-positions.ts";

/** The outcomes that one trader bought in markets with a category, by category. */
export type BoughtByCategory = ReadonlyMap<string, readonly BoughtOutcome[]>;

/** Groups one trader's purchases by category, in alphabetical order. */
export function groupBought(positions: readonly TraderPosition[]): BoughtByCategory {
  const byCategory = new Map<string, BoughtOutcome[]>();
  for (const position of positions) {
    if (position.category === null || position.boughtSharesMicro === 0n) continue;
    const group = byCategory.get(position.category);
    if (group === undefined) byCategory.set(position.category, [toBought(position)]);
    else group.push(toBought(position));
  }
  return new Map([...byCategory].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const toBought = (position: TraderPosition): BoughtOutcome => ({
  cluster: position.cluster,
  marketId: position.marketId,
  boughtUsdMicro: Number(position.boughtUsdMicro),
  boughtSharesMicro: Number(position.boughtSharesMicro),
  payout: position.payoutPpm === null ? null : position.payoutPpm / 1_000_000,
  bets: position.bets,
  firstAtMs: position.firstAtMs,
  lastAtMs: position.lastAtMs,
});
