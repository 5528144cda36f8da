import type { z } from "zod";
import { presentUsd } from "../../../domain/money.ts";
import { presentFloat } from "../../../domain/present-float.ts";
import { presentPercent } from "../../../domain/present-share.ts";
import type { TraderRow } from "../../../queries/traders/traders.ts";
import { computedTrust, missingTrust, type Trust } from "../../trust.ts";
import type { TRUSTED_VALUES, Trader } from "../schemas/schemas.ts";
import { STRATEGY_DESCRIPTIONS } from "./strategy-descriptions.ts";
import { partialTrust } from "./history-trust.ts";

type TraderData = z.input<typeof Trader>;

/** The accepted values of `expand` for a trader. */
export const TRADER_EXPANSIONS = ["strategy", "categories", "quant_metrics", "trust"] as const;

export type TraderExpansions = readonly (typeof TRADER_EXPANSIONS)[number][];

/**
 * Whether the whole profile must be read. `strategy` is in every row; `trust` needs the profile to report
 * missing values.
 */
export const needsProfile = (expand: TraderExpansions): boolean => expand.some((name) => name !== "strategy");

/**
 * The parts of the profile that exist and can be served: the streak tier always, the others with `expand`.
 */
export function presentProfile(
  row: TraderRow,
  expand: TraderExpansions,
): Pick<TraderData, "streak_tier" | "strategy" | "category_strengths" | "quant_metrics"> {
  return {
    ...(row.streak_tier === null ? {} : { streak_tier: row.streak_tier }),
    ...(expand.includes("strategy") && row.strategy !== null
      ? { strategy: { strategy_type: row.strategy, description: STRATEGY_DESCRIPTIONS[row.strategy] } }
      : {}),
    ...(expand.includes("categories") && hasStrengths(row)
      ? { category_strengths: presentStrengths(row.category_strengths) }
      : {}),
    ...(expand.includes("quant_metrics") && row.quant_metrics !== null
      ? { quant_metrics: presentMetrics(row.quant_metrics) }
      : {}),
  };
}

/** Percent of decided days with a profit; omitted without a decided day. */
export function presentDailyWinRate({ days_won: won, days_decided: decided }: TraderRow): { daily_win_rate?: number } {
  return decided === 0 ? {} : { daily_win_rate: presentPercent(won, decided) };
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

const NO_PROFILE = "the trader's profile has not been computed in the last six hours";

/**
 * @param gap why the profile is withheld; null when it is served
 * @param leftOut what the profile excludes; null when it excludes nothing
 * @returns null for values that are not part of the profile
 */
export function profileTrust(
  row: TraderRow,
  { gap, leftOut }: { readonly gap: string | null; readonly leftOut: string | null },
  name: (typeof TRUSTED_VALUES)[number],
): Trust | null {
  if (!isPartOfProfile(name)) return null;
  const { owner, missingReason } = PROFILE_PARTS[name](row);
  if (gap !== null) return missingTrust(owner, "unavailable", gap);
  if (row.profiled_at === null) return missingTrust(owner, "not_computed", NO_PROFILE);
  return missingReason === null
    ? partialTrust(computedTrust(owner, row.profiled_at), leftOut)
    : missingTrust(owner, "unavailable", missingReason);
}

/** Where each part is stored, and why it is missing in a profile that exists; null when it is present. */
const PROFILE_PARTS = {
  streak_tier: (row: TraderRow) => ({
    owner: "trader_profiles.streak_tier",
    missingReason:
      row.streak_tier === null ? "no result in the last seven days, or too few traders to compare with" : null,
  }),
  strategy: (row: TraderRow) => ({
    owner: "trader_profiles.strategy",
    missingReason: row.strategy === null ? "the trader has too few fills to show a behaviour" : null,
  }),
  category_strengths: (row: TraderRow) => ({
    owner: "trader_profiles.profile",
    missingReason: hasStrengths(row)
      ? null
      : "no settled market with a cost of at least 20 dollars and a price between 0.05 and 0.95",
  }),
  quant_metrics: () => ({ owner: "trader_profiles.profile", missingReason: null }),
} as const;

const isPartOfProfile = (name: string): name is keyof typeof PROFILE_PARTS => name in PROFILE_PARTS;
