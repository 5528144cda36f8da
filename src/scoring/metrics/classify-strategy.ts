import { groupBy } from "./category-records.ts";
import { concentration } from "./concentration.ts";
import {
  DIVERSIFIED_CATEGORIES,
  FOCUSED_SHARE,
  HIGH_ACTIVITY_FILLS_PER_DAY,
  KNOWN_CATEGORY_SHARE,
  STRATEGY_MIN_FILLS,
  STRATEGY_MIN_MARKETS,
  TWO_SIDED_SHARE,
} from "./parameters.ts";

export type CurrentStrategy =
  | "two_sided"
  | "category_focused"
  | "high_activity"
  | "diversified"
  | "mixed"
  | "unclassified";

/** A trader's recorded behaviour over its whole known history. */
export interface RecordedBehaviour {
  readonly fills: number;
  /** UTC days with a fill. */
  readonly activeDays: number;
  readonly markets: readonly TradedMarket[];
}

export interface TradedMarket {
  readonly category: string | null;
  /** Paid for shares in it, in micro-dollars. */
  readonly costMicro: bigint;
  /** Whether shares of both outcomes were acquired. */
  readonly isTwoSided: boolean;
}

/** The measures that explain a type. Null where there is too little data. */
export interface StrategyMeasures {
  readonly twoSidedShare: number | null;
  readonly fillsPerActiveDay: number | null;
  /**
   * For the cost with a known category: the leading category, its share, and the effective number of
   * categories (1 / Herfindahl).
   */
  readonly leadingCategory: string | null;
  readonly leadingShare: number | null;
  readonly effectiveCategories: number | null;
}

/**
 * Classifies how a trader trades, not how well. Four traits are tested: two_sided (both outcomes in 30 % of
 * its markets), high_activity (50 fills on an average active day), category_focused (70 % of cost in one
 * category), diversified (3 effective categories; excludes category_focused). One trait gives the type,
 * several give `mixed`, none gives `unclassified`.
 *
 * @returns null below STRATEGY_MIN_FILLS fills: too little behaviour to classify
 * Source: names from the contract; the rules are our own, version 1.
 */
export function classifyStrategy(
  behaviour: RecordedBehaviour,
): { readonly type: CurrentStrategy; readonly measures: StrategyMeasures } | null {
  if (behaviour.fills < STRATEGY_MIN_FILLS) return null;
  const measures = measure(behaviour);
  const { twoSidedShare, fillsPerActiveDay, leadingShare, effectiveCategories } = measures;
  const traits: CurrentStrategy[] = [];
  if (twoSidedShare !== null && twoSidedShare >= TWO_SIDED_SHARE) traits.push("two_sided");
  if (fillsPerActiveDay !== null && fillsPerActiveDay >= HIGH_ACTIVITY_FILLS_PER_DAY) traits.push("high_activity");
  if (leadingShare !== null && leadingShare >= FOCUSED_SHARE) traits.push("category_focused");
  if (effectiveCategories !== null && effectiveCategories >= DIVERSIFIED_CATEGORIES) traits.push("diversified");
  const [only] = traits;
  return { type: only === undefined ? "unclassified" : traits.length > 1 ? "mixed" : only, measures };
}

function measure({ fills, activeDays, markets }: RecordedBehaviour): StrategyMeasures {
  const hasEnoughMarkets = markets.length >= STRATEGY_MIN_MARKETS;
  return {
    twoSidedShare: hasEnoughMarkets ? markets.filter((market) => market.isTwoSided).length / markets.length : null,
    fillsPerActiveDay: activeDays === 0 ? null : fills / activeDays,
    ...(hasEnoughMarkets ? measureSpread(markets) : NO_SPREAD),
  };
}

function measureSpread(
  markets: readonly TradedMarket[],
): Pick<StrategyMeasures, "leadingCategory" | "leadingShare" | "effectiveCategories"> {
  const costs = [...groupBy(markets, (market) => market.category)]
    .map(([category, group]) => ({ category, costMicro: costOf(group) }))
    .sort(
      (a, b) =>
        Number(b.costMicro > a.costMicro) - Number(b.costMicro < a.costMicro) || (a.category < b.category ? -1 : 1),
    );
  const known = costOf(costs);
  const [leading] = costs;
  const herfindahl = concentration(costs);
  if (leading === undefined || herfindahl === null) return NO_SPREAD;
  if (Number(known) < KNOWN_CATEGORY_SHARE * Number(costOf(markets))) return NO_SPREAD;
  return {
    leadingCategory: leading.category,
    leadingShare: Number(leading.costMicro) / Number(known),
    effectiveCategories: 1 / herfindahl,
  };
}

const costOf = (parts: readonly { readonly costMicro: bigint }[]): bigint =>
  parts.reduce((sum, part) => sum + part.costMicro, 0n);

const NO_SPREAD = { leadingCategory: null, leadingShare: null, effectiveCategories: null } as const;
