import { z } from "zod";
import { STRATEGIES } from "../../domain/strategies.ts";
import { DataQuality } from "../data-quality.ts";
import { TrustMetadata } from "../trust.ts";
import { TRADER_EXAMPLE } from "./trader-example.ts";
import { CategorySkillModelReadiness, CategorySkillV2 } from "./category-skill-schemas.ts";
import { PnlCorrection } from "./present-correction.ts";

export const ExactDecimal = z
  .object({
    value: z.string().regex(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/),
    unit: z.string(),
    scale: z.int().min(0),
    basis: z.string(),
  })
  .meta({ id: "ExactDecimal" });

/** Every value of a trader that trust can be asked about. */
export const TRUSTED_VALUES = [
  "total_pnl",
  "realized_pnl",
  "net_total_pnl",
  "unrealized_pnl",
  "markets_traded",
  "win_rate",
  "daily_win_rate",
  "total_volume",
  "grade",
  "score",
  "forecast_score",
  "forecast_evidence",
  "rank",
  "streak_tier",
  "strategy",
  "category_strengths",
  "quant_metrics",
  "last_active",
  "synced_at",
  "sync_status",
  "category_records",
  "category_skill_model",
] as const;

export const TraderTrust = z.record(z.enum(TRUSTED_VALUES), TrustMetadata).meta({ id: "TraderTrust" });

const figure = (description: string) => z.number().nullable().meta({ description });

/** Null is too little history. */
const TraderQuantMetrics = z
  .object({
    smart_score: figure("0 to 100."),
    copy_score: figure("0 to 100: the smart score less what makes the wallet hard to copy."),
    sharpe_30d: figure("Annualised, of daily returns on capital at work."),
    sharpe_7d: figure("As sharpe_30d, of seven days."),
    profit_factor: figure("Gross profit over gross loss of settled markets, at most 1000."),
    edge_consistency: figure("Share of the newest 30 days with a result that made money, 0 to 1."),
    sharpe_percentile: figure("0 to 100, of all wallets with the figure."),
    pf_percentile: figure("0 to 100."),
    consistency_percentile: figure("0 to 100."),
  })
  .meta({ id: "TraderQuantMetrics" });

const CategoryStrength = z.object({
  wins: z.int(),
  decided: z.int(),
  win_rate: figure("Fraction 0 to 1; null with not_enough_data."),
  expected_win_rate: figure("The mean price paid: what the prices promised."),
  pnl: z.number(),
  cost: z.number(),
  return_on_cost: figure("Profit over what was paid (0.1 is 10 percent)."),
  status: z.enum(["measured", "not_enough_data"]),
});

export const Trader = z
  .object({
    id: z.string().meta({ description: "trd_ id; of a wallet that we have never seen, its address behind the prefix." }),
    address: z.string(),
    username: z.string().optional(),
    grade: z.enum(["S", "A", "B", "C", "D", "F"]).optional(),
    score: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: "Skill, 0 to 100; 50 is exactly what the prices paid imply. Left out when ungraded." }),
    forecast_score: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: "Chance in percent that the wallet's true edge is above zero." }),
    forecast_evidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: "How much of the forecast rests on the wallet's own settled bets; the rest is the population's." }),
    streak_tier: z
      .enum(["hot", "rising", "neutral", "cooling", "cold"])
      .optional()
      .meta({ description: "Form of the last seven days among all active wallets, whatever the grade; left out for inactive ones." }),
    rank: z.int().optional().meta({ description: "Place on the overall leaderboard, which lists S, A and B." }),
    pnl: z.object({
      total: z.number().optional().meta({
        description: "The provider's own all-time figure in dollars, not realized + unrealized; left out when it ranks no such wallet.",
      }),
      net_total: z.number().optional().meta({ description: "Dollars, realized + unrealized; left out when either is." }),
      realized: z
        .number()
        .optional()
        .meta({ description: "Dollars, with fees and rebates; left out until the wallet's whole history is known." }),
      unrealized: z.number().optional().meta({
        description: "Dollars: what held shares are worth at the market less what they cost; left out when one holding has no price.",
      }),
      exact: z.object({ realized: ExactDecimal }).optional(),
      correction: PnlCorrection.optional(),
    }),
    stats: z.object({
      markets_traded: z.int().optional(),
      win_rate: z.number().optional().meta({ description: "Percent of resolved markets with any profit or loss that made a profit." }),
      daily_win_rate: z.number().optional().meta({ description: "Percent of days with any profit or loss that made a profit." }),
      total_volume: z.number().optional().meta({ description: "Lifetime dollars, buys and sells." }),
      exact: z.object({ total_volume: ExactDecimal }).optional(),
    }),
    strategy: z
      .object({ strategy_type: z.enum(STRATEGIES), description: z.string() })
      .optional()
      .meta({ description: "With expand=strategy: how the wallet trades, not how well." }),
    category_strengths: z
      .record(z.string(), CategoryStrength)
      .optional()
      .meta({ description: "With expand=categories: settled markets of at least 20 dollars, bought between 0.05 and 0.95." }),
    category_records: z
      .array(CategorySkillV2)
      .optional()
      .meta({ description: "With expand=categories: skill by category over all settled purchases." }),
    category_skill_model: CategorySkillModelReadiness.optional().meta({ description: "With category_records: how ready they are." }),
    quant_metrics: TraderQuantMetrics.optional().meta({
      description: "With expand=quant_metrics; left out when it was computed six hours ago or more.",
    }),
    last_active: z.iso.datetime().optional(),
    synced_at: z.iso.datetime().optional(),
    sync_status: z.enum(["synced", "pending", "unknown"]),
    data_quality: DataQuality,
    trust: TraderTrust.optional().meta({ description: "With expand=trust." }),
  })
  .meta({ id: "Trader", examples: [TRADER_EXAMPLE] });
