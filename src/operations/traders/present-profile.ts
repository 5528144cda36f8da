import type { z } from "zod";
import { presentUsd } from "../../domain/money.ts";
import { presentFloat } from "../../domain/present-float.ts";
import type { TraderRow } from "../../queries/traders.ts";
import { computedTrust, missingTrust, type Trust } from "../trust.ts";
import type { TRUSTED_VALUES, Trader } from "./schemas.ts";
import { STRATEGY_WORDS } from "./strategy-words.ts";
import { partialTrust } from "./trader-history.ts";

type TraderData = z.input<typeof Trader>;

/** What `expand` may ask for of a trader. */
export const EXPANSIONS = ["strategy", "categories", "quant_metrics", "trust"] as const;

export type Expansions = readonly (typeof EXPANSIONS)[number][];

/** Whether what is asked for shows more of a profile than lists do; of trust, because it says of every value whether it is there. */
export const needsProfile = (expand: Expansions): boolean => expand.some((asked) => asked !== "strategy");

/** What the wallet's profile says, as far as it has one that may be served: the streak always, the rest when asked for. */
export function presentProfile(
  row: TraderRow,
  expand: Expansions,
): Pick<TraderData, "streak_tier" | "strategy" | "category_strengths" | "quant_metrics"> {
  return {
    ...(row.streak_tier === null ? {} : { streak_tier: row.streak_tier }),
    ...(expand.includes("strategy") && row.strategy !== null
      ? { strategy: { strategy_type: row.strategy, description: STRATEGY_WORDS[row.strategy] } }
      : {}),
    ...(expand.includes("categories") && hasStrengths(row) ? { category_strengths: presentStrengths(row.category_strengths) } : {}),
    ...(expand.includes("quant_metrics") && row.quant_metrics !== null ? { quant_metrics: presentMetrics(row.quant_metrics) } : {}),
  };
}

/** Percent of days with a result that made money; nothing while there is none. */
export function presentDailyWinRate({ days_won: won, days_decided: decided }: TraderRow): { daily_win_rate?: number } {
  return decided === 0 ? {} : { daily_win_rate: Math.trunc((won * 10_000) / decided) / 100 };
}

type Metrics = NonNullable<TraderRow["quant_metrics"]>;
type Strengths = NonNullable<TraderRow["category_strengths"]>;

/** Scores and percentiles have two decimals, ratios and rates four. */
const presentMetrics = (metrics: Metrics): TraderData["quant_metrics"] => ({
  smart_score: presentFloat(metrics.smart_score, 2),
  copy_score: presentFloat(metrics.copy_score, 2),
  sharpe_30d: presentFloat(metrics.sharpe_30d, 4),
  sharpe_7d: presentFloat(metrics.sharpe_7d, 4),
  profit_factor: presentFloat(metrics.profit_factor, 4),
  edge_consistency: presentFloat(metrics.edge_consistency, 4),
  sharpe_percentile: presentFloat(metrics.sharpe_percentile, 2),
  pf_percentile: presentFloat(metrics.pf_percentile, 2),
  consistency_percentile: presentFloat(metrics.consistency_percentile, 2),
});

const hasStrengths = (row: TraderRow): row is TraderRow & { category_strengths: Strengths } =>
  row.category_strengths !== null && row.category_strengths.length > 0;

const presentStrengths = (strengths: Strengths): TraderData["category_strengths"] =>
  Object.fromEntries(
    strengths.map((strength) => [
      strength.category,
      {
        wins: strength.wins,
        decided: strength.decided,
        win_rate: presentFloat(strength.win_rate, 4),
        expected_win_rate: presentFloat(strength.expected_win_rate, 4),
        pnl: presentUsd(strength.pnl_micro),
        cost: presentUsd(strength.cost_micro),
        return_on_cost: presentFloat(strength.return_on_cost, 4),
        status: strength.win_rate === null ? ("not_enough_data" as const) : ("measured" as const),
      },
    ]),
  );

const NO_PROFILE = "the wallet's profile has not been computed in the last six hours";

/**
 * @param history why the profile is withheld, and what it leaves out; null when it is not, and when it leaves out nothing
 * @returns null for values that are no part of the profile
 */
export function profileTrust(
  row: TraderRow,
  { gap, leftOut }: { readonly gap: string | null; readonly leftOut: string | null },
  name: (typeof TRUSTED_VALUES)[number],
): Trust | null {
  if (!isPartOfProfile(name)) return null;
  const { owner, why } = PARTS[name](row);
  if (gap !== null) return missingTrust(owner, "unavailable", gap);
  if (row.profiled_at === null) return missingTrust(owner, "not_computed", NO_PROFILE);
  return why === null ? partialTrust(computedTrust(owner, row.profiled_at), leftOut) : missingTrust(owner, "unavailable", why);
}

/** Where each part of a profile is stored and, with a profile, why it may be missing all the same. */
const PARTS = {
  streak_tier: (row: TraderRow) => ({
    owner: "trader_profiles.streak_tier",
    why: row.streak_tier === null ? "no result in the last seven days, or too few wallets to compare with" : null,
  }),
  strategy: (row: TraderRow) => ({
    owner: "trader_profiles.strategy",
    why: row.strategy === null ? "the wallet has too few fills to show a behaviour" : null,
  }),
  category_strengths: (row: TraderRow) => ({
    owner: "trader_profiles.profile",
    why: hasStrengths(row) ? null : "no settled market of at least 20 dollars at a price that was open",
  }),
  quant_metrics: () => ({ owner: "trader_profiles.profile", why: null }),
} as const;

const isPartOfProfile = (name: string): name is keyof typeof PARTS => name in PARTS;
