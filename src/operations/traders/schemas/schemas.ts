import { z } from "zod";
import { GRADES } from "../../../domain/traders/grades.ts";
import { STRATEGIES } from "../../../domain/traders/strategies.ts";
import { DataQuality } from "../../data-quality.ts";
import { TrustMetadata } from "../../trust.ts";
import { TRADER_EXAMPLE, TRUST_EXAMPLE } from "./trader-example.ts";
import { CategorySkillModelReadiness, CategorySkillV2 } from "./category-skill-schemas.ts";
import { ProviderPnlCorrection } from "../present/present-correction.ts";
import { optionalUsername, walletAddress } from "../../shared-fields.ts";

export const ExactDecimal = z
  .object({
    value: z
      .string()
      .regex(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/)
      .meta({ description: "The amount as a plain decimal string with all digits." }),
    unit: z.string().meta({ description: "Unit of the amount: USD, shares or USD/share." }),
    scale: z.int().min(0).meta({ description: "Number of digits after the decimal point." }),
    basis: z.string().meta({ description: "Basis of the computation, as text." }),
  })
  .meta({
    id: "ExactDecimal",
    description: "An exact amount that a JSON number could not represent.",
    examples: [
      {
        value: "48210.074112",
        unit: "USD",
        scale: 6,
        basis: "average cost over all recorded activity in ordinary markets",
      },
    ],
  });

/** The values of a trader that have trust metadata. */
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

export const TraderTrust = z.record(z.enum(TRUSTED_VALUES), TrustMetadata).meta({
  id: "TraderTrust",
  description: "Trust metadata of each value of the trader, keyed by the name of the value.",
  examples: [Object.fromEntries(TRUSTED_VALUES.map((name) => [name, TRUST_EXAMPLE]))],
});

const figure = (description: string, example: number) => z.number().nullable().meta({ description, example });
const TOO_LITTLE = "Null when the history is too short.";
const NOT_COMPARED = "Null when the history is too short, or when there are too few traders to compare with.";
const TOO_FEW = "Null when the trader has no such figure, or when too few traders have one.";

const TraderQuantMetrics = z
  .object({
    smart_score: figure(
      "Points from 0 to 100 for risk-adjusted return, profit factor, consistency, return on capital, " +
        `smoothness and diversification. ${NOT_COMPARED}`,
      62.4,
    ),
    copy_score: figure(
      `Points from 0 to 100: the smart score minus penalties for what makes the trader hard to copy. ${NOT_COMPARED}`,
      47.4,
    ),
    sharpe_30d: figure(
      "Annualized Sharpe ratio of the last 30 days, a pure number: mean daily return on invested capital " +
        `divided by its standard deviation. ${TOO_LITTLE}`,
      1.8312,
    ),
    sharpe_7d: figure(`Annualized Sharpe ratio of the last 7 days, a pure number. ${TOO_LITTLE}`, 2.1004),
    profit_factor: figure(
      "Dollars won divided by dollars lost in settled markets, a pure number; at most 1000, which is also " +
        `the value without a loss. ${TOO_LITTLE}`,
      1.42,
    ),
    edge_consistency: figure(
      `Fraction from 0 to 1 of profitable days among the latest 30 days with a result. ${TOO_LITTLE}`,
      0.6,
    ),
    sharpe_percentile: figure(
      "Percentile of sharpe_30d among all traders: percent of them below it, 0 to 100; equal values count " +
        `half. ${TOO_FEW}`,
      81.25,
    ),
    pf_percentile: figure(
      "Percentile of profit_factor among all traders: percent of them below it, 0 to 100; equal values " +
        `count half. ${TOO_FEW}`,
      74.5,
    ),
    consistency_percentile: figure(
      "Percentile of edge_consistency among all traders: percent of them below it, 0 to 100; equal values " +
        `count half. ${TOO_FEW}`,
      66,
    ),
  })
  .meta({ id: "TraderQuantMetrics", description: "Risk and consistency figures of the trader." });

const CategoryStrength = z
  .object({
    wins: z.int().meta({ description: "Markets with a profit." }),
    decided: z.int().meta({ description: "Markets with a profit or a loss." }),
    win_rate: figure("wins divided by decided, a fraction from 0 to 1; null with not_enough_data.", 0.58),
    expected_win_rate: figure(
      "Mean price paid, a fraction from 0 to 1: the win rate that the prices implied. Null with not_enough_data.",
      0.51,
    ),
    pnl: z.number().meta({ description: "Profit in these markets, in dollars." }),
    cost: z.number().meta({ description: "Cost of these markets, in dollars." }),
    return_on_cost: figure("pnl divided by cost, a fraction: 0.1 is 10 percent. Null with not_enough_data.", 0.0731),
    status: z
      .enum(["measured", "not_enough_data"])
      .meta({ description: "measured: at least five decided markets. not_enough_data: fewer." }),
  })
  .meta({ description: "The trader's record in one category." });

export const Trader = z
  .object({
    id: z.string().meta({
      description: "The trader's trd_ id. For an address without recorded activity, trd_ followed by the address.",
    }),
    address: walletAddress,
    username: optionalUsername,
    grade: z
      .enum(GRADES)
      .optional()
      .meta({
        description:
          "Skill letter, S best and F worst: whether settled purchases won more often than the prices paid " +
          "imply. Omitted when ungraded.",
      }),
    score: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: "Skill from 0 to 100; 50 is exactly what the prices paid imply. Omitted when ungraded." }),
    forecast_score: z.number().min(0).max(100).optional().meta({
      description:
        "Probability in percent, 0 to 100, that the trader's true edge is above zero. Omitted when ungraded.",
    }),
    forecast_evidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({
        description:
          "Fraction from 0 to 1 of the forecast that comes from the trader's own settled purchases; the " +
          "rest comes from the population. Also present for ungraded traders. Omitted while no purchase has " +
          "been counted, or while too few traders are known.",
      }),
    streak_tier: z.enum(["hot", "rising", "neutral", "cooling", "cold"]).optional().meta({
      description:
        "Form of the last seven days relative to all active traders of any grade. Omitted for inactive traders.",
    }),
    rank: z.int().optional().meta({
      description:
        "Rank on the overall leaderboard, starting at 1. Omitted when the trader is not among the first thousand.",
    }),
    pnl: z
      .object({
        total: z
          .number()
          .optional()
          .meta({
            description:
              "The provider's all-time profit in dollars, which is not realized + unrealized. Omitted when " +
              "the provider's board does not rank the trader.",
          }),
        net_total: z
          .number()
          .optional()
          .meta({ description: "realized + unrealized, in dollars. Omitted when either is omitted." }),
        realized: z
          .number()
          .optional()
          .meta({
            description:
              "Profit from sales, merges and settled markets including known fees and rebates, in dollars. " +
              "Omitted until the trader's history in ordinary markets is known. The group pnl of " +
              "data_quality says what the figure excludes.",
          }),
        unrealized: z
          .number()
          .optional()
          .meta({
            description:
              "Value minus cost of open positions in ordinary markets, in dollars. Omitted when one of them " +
              "has no price.",
          }),
        exact: z
          .object({ realized: ExactDecimal })
          .optional()
          .meta({ description: "Realized profit with all digits. Omitted with realized." }),
        correction: ProviderPnlCorrection.optional(),
      })
      .meta({ description: "Profit and loss over the trader's whole history." }),
    stats: z
      .object({
        markets_traded: z.int().optional().meta({ description: "Markets in which the trader ever had shares." }),
        win_rate: z
          .number()
          .optional()
          .meta({
            description:
              "Percent from 0 to 100: profitable markets among resolved markets with a known profit or " +
              "loss. Omitted when there is no such market.",
          }),
        daily_win_rate: z
          .number()
          .optional()
          .meta({
            description:
              "Percent from 0 to 100: profitable days among UTC days with a profit or a loss. Omitted when " +
              "there is no such day.",
          }),
        total_volume: z
          .number()
          .optional()
          .meta({ description: "Volume of buys and sells over the trader's whole history, in dollars." }),
        exact: z
          .object({ total_volume: ExactDecimal })
          .optional()
          .meta({ description: "Total volume with all digits." }),
      })
      .meta({
        description:
          "Statistics over the trader's whole history. Empty until the history in ordinary markets is known.",
      }),
    strategy: z
      .object({
        strategy_type: z.enum(STRATEGIES).meta({ description: "Name of the dominant behaviour." }),
        description: z.string().meta({ description: "Description of the behaviour, in one sentence." }),
      })
      .optional()
      .meta({
        description:
          "How the trader trades, not how well. Requires `expand=strategy`. Omitted when there are too " +
          "few fills to show a behaviour.",
        example: { strategy_type: "diversified", description: "Spreads its money over several categories." },
      }),
    category_strengths: z
      .record(z.string(), CategoryStrength)
      .optional()
      .meta({
        description:
          "Record by category over settled markets with a cost of at least 20 dollars and a price between " +
          "0.05 and 0.95 dollars per share. Requires `expand=categories`. Omitted when there is no such market.",
      }),
    category_records: z
      .array(CategorySkillV2)
      .optional()
      .meta({
        description:
          "Skill by category over all settled purchases. Requires `expand=categories`. Omitted when no " +
          "purchase was in a category.",
      }),
    category_skill_model: CategorySkillModelReadiness.optional(),
    quant_metrics: TraderQuantMetrics.optional().meta({
      description:
        "Risk and consistency figures. Requires `expand=quant_metrics`. Omitted when they were computed " +
        "six or more hours ago.",
    }),
    last_active: z.iso.datetime().optional().meta({
      description: "Time of the last recorded fill, split, merge or conversion, UTC. Omitted when there is none.",
    }),
    synced_at: z.iso.datetime().optional().meta({
      description: "Time of the last complete read of the trader's activity, UTC. Omitted before the first one.",
    }),
    sync_status: z.enum(["synced", "pending", "unknown"]).meta({
      description:
        "synced: the activity has been read completely. pending: it is being read. unknown: the trader is not tracked.",
    }),
    data_quality: DataQuality,
    trust: TraderTrust.optional().meta({
      description: "Trust metadata of each value, keyed by the name of the value. Requires `expand=trust`.",
    }),
  })
  .meta({ id: "Trader", description: "One trader. Omitted values are unknown.", examples: [TRADER_EXAMPLE] });
