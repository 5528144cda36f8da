import { addBoughtOutcome, emptyCategory, type CategorySums } from "../../scoring/skill/category-sums.ts";
import type { TraderPosition } from "./trader-position.ts";

/** One trader's purchases in markets with a category, by category in alphabetical order. */
export type BoughtByCategory = ReadonlyMap<string, CategorySums>;

/** Sums one trader's purchases by category. */
export class BoughtSums {
  readonly #byCategory = new Map<string, CategorySums>();

  /** Positions must come in the order of outcomes: the sums of floats depend on it. */
  add(position: TraderPosition): void {
    const { category, payoutPpm } = position;
    if (category === null || position.boughtSharesMicro === 0n) return;
    const sums = this.#byCategory.get(category) ?? emptyCategory();
    this.#byCategory.set(category, sums);
    addBoughtOutcome(sums, {
      cluster: position.cluster,
      marketId: position.marketId,
      boughtUsdMicro: Number(position.boughtUsdMicro),
      boughtSharesMicro: Number(position.boughtSharesMicro),
      payout: payoutPpm === null ? null : payoutPpm / 1_000_000,
      bets: position.bets,
      firstAtMs: position.firstAtMs,
      lastAtMs: position.lastAtMs,
    });
  }

  byCategory(): BoughtByCategory {
    return new Map([...this.#byCategory].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}
