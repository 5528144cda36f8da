import { z } from "zod";

/**
 * A profile older than this is not served: the trader has continued trading, so trailing figures are out of
 * date.
 */
export const PROFILE_MAX_AGE_SECONDS = 6 * 3600;

const micro = z
  .string()
  .regex(/^-?[0-9]+$/)
  .transform(BigInt);
const figure = z.number().nullable();

/** The nine quant metrics under the contract's names; null is too little history. */
export const StoredMetrics = z.object({
  smart_score: figure,
  copy_score: figure,
  sharpe_30d: figure,
  sharpe_7d: figure,
  profit_factor: figure,
  edge_consistency: figure,
  sharpe_percentile: figure,
  pf_percentile: figure,
  consistency_percentile: figure,
});

/**
 * `TraderMeasures` of src/scoring/metrics: the inputs of the metrics, before they are compared with a
 * population.
 */
export const StoredMeasures = z.object({
  sharpe_30d: figure,
  sharpe_7d: figure,
  profit_factor: figure,
  edge_consistency: figure,
  return_on_capital: figure,
  equity_smoothness: figure,
  concentration: figure,
  settled_markets: z.number().int(),
  mean_stake: figure,
  kelly: figure,
  worst_loss: figure,
  is_inconsistent: z.boolean().nullable(),
});

const record = { wins: z.number().int(), decided: z.number().int(), win_rate: figure };
const status = z.enum(["measured", "not_enough_data"]);
const drawdown = z.object({
  amount_micro: micro,
  peak_day: z.string().nullable(),
  trough_day: z.string().nullable(),
  percent_of_peak: figure,
});

export const StoredRecords = z.array(
  z.object({
    ...record,
    category: z.string(),
    status,
    games: z.array(z.object({ ...record, game: z.string(), series_slug: z.string(), status })),
  }),
);

/**
 * Skill estimates from purchases per category; see src/scoring/skill/category-skill.ts. Figures are null
 * unless `live`.
 */
export const StoredCategorySkill = z.array(
  z.object({
    category: z.string(),
    status: z.enum(["live", "insufficient", "degraded"]),
    events: z.number().int(),
    resolved_markets: z.number().int(),
    unresolved_outcomes: z.number().int(),
    edge_mean: figure,
    edge_sd: figure,
    edge_se: figure,
    edge_lower_95: figure,
    brier: figure,
    /** ISO: the trader's first and last entry in the category. */
    started_at: z.string(),
    latest_at: z.string(),
  }),
);

export const StoredStrengths = z.array(
  z.object({
    ...record,
    category: z.string(),
    expected_win_rate: figure,
    pnl_micro: micro,
    cost_micro: micro,
    return_on_cost: figure,
  }),
);

/**
 * The `profile` column of `trader_profiles`: rates are fractions 0 to 1, money is text of micro-dollars, days
 * are YYYY-MM-DD in UTC. src/scoring/metrics defines the figures where it computes them.
 */
export const StoredProfile = z.object({
  /** The last UTC day included. */
  as_of: z.string(),
  measures: StoredMeasures,
  metrics: StoredMetrics,
  /** Null below the minimum number of fills (STRATEGY_MIN_FILLS). */
  strategy: z
    .object({
      two_sided_share: figure,
      fills_per_active_day: figure,
      leading_category: z.string().nullable(),
      leading_share: figure,
      effective_categories: figure,
    })
    .nullable(),
  category_records: StoredRecords,
  category_strengths: StoredStrengths,
  category_skill: StoredCategorySkill,
  /**
   * Markets (`record`), then days (`days`): those with a profit among those with any profit or loss; streaks
   * of days with the same sign.
   */
  record: z.object(record),
  days: z.object({
    ...record,
    current_streak: z.number().int(),
    longest_win_streak: z.number().int(),
    longest_loss_streak: z.number().int(),
  }),
  drawdown: z.object({ deepest: drawdown, current: drawdown }),
});

/** The form in which it is written. */
export type StoredProfile = z.input<typeof StoredProfile>;
export type StoredMeasures = z.output<typeof StoredMeasures>;
export type StoredMetrics = z.output<typeof StoredMetrics>;
