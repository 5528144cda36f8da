import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";
import { STRATEGIES } from "../../domain/strategies.ts";
import { DataQuality } from "../data-quality.ts";
import { TrustMetadata } from "../trust.ts";
import { TRADER_EXAMPLE, TRUST_EXAMPLE } from "./trader-example.ts";
import { CategorySkillModelReadiness, CategorySkillV2 } from "./category-skill-schemas.ts";
import { PnlCorrection } from "./present-correction.ts";
import { usernameIfAny, walletAddress } from "../fields.ts";

export const ExactDecimal = z
  .object({
    value: z
      .string()
      .regex(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/)
      .meta({ description: "The amount as a plain decimal, with every digit." }),
    unit: z.string().meta({ description: "What it counts: USD, shares, USD/share." }),
    scale: z.int().min(0).meta({ description: "Digits behind the point." }),
    basis: z.string().meta({ description: "What it was worked out from, in words." }),
  })
  .meta({
    id: "ExactDecimal",
    description: "An amount that a JSON number would cut.",
    examples: [{ value: "48210.074112", unit: "USD", scale: 6, basis: "average cost over all recorded activity in ordinary markets" }],
  });

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

export const TraderTrust = z.record(z.enum(TRUSTED_VALUES), TrustMetadata).meta({
  id: "TraderTrust",
  description: "How far each value of the wallet can be relied on, by the value's name.",
  examples: [Object.fromEntries(TRUSTED_VALUES.map((name) => [name, TRUST_EXAMPLE]))],
});

const figure = (description: string, example: number) => z.number().nullable().meta({ description, example });
const TOO_LITTLE = "Null with too little history.";
const NOT_COMPARED = "Null with too little history, or too few wallets to compare with.";
const TOO_FEW = "Null while the wallet has no such figure, or too few wallets do.";

const TraderQuantMetrics = z
  .object({
    smart_score: figure(
      `Points from 0 to 100 for return against risk, profit factor, consistency, return on capital, steadiness and spread. ${NOT_COMPARED}`,
      62.4,
    ),
    copy_score: figure(`Points from 0 to 100: the smart score less what makes the wallet hard to copy. ${NOT_COMPARED}`, 47.4),
    sharpe_30d: figure(
      `Sharpe ratio over the last 30 days, a pure number: mean daily return on capital at work over its deviation, for a year. ${TOO_LITTLE}`,
      1.8312,
    ),
    sharpe_7d: figure(`The same over the last 7 days. ${TOO_LITTLE}`, 2.1004),
    profit_factor: figure(
      `Dollars won over dollars lost in settled markets, a pure number; 1000 at most, and without a loss. ${TOO_LITTLE}`,
      1.42,
    ),
    edge_consistency: figure(`Share of the newest 30 days with a result that made money, a fraction from 0 to 1. ${TOO_LITTLE}`, 0.6),
    sharpe_percentile: figure(
      `Where sharpe_30d stands among all wallets: percent of them below it, 0 to 100, equals counted half. ${TOO_FEW}`,
      81.25,
    ),
    pf_percentile: figure(
      `Where profit_factor stands among all wallets: percent of them below it, 0 to 100, equals counted half. ${TOO_FEW}`,
      74.5,
    ),
    consistency_percentile: figure(
      `Where edge_consistency stands among all wallets: percent of them below it, 0 to 100, equals counted half. ${TOO_FEW}`,
      66,
    ),
  })
  .meta({ id: "TraderQuantMetrics", description: "Figures of how steadily the wallet earns." });

const CategoryStrength = z
  .object({
    wins: z.int().meta({ description: "Markets that made a profit." }),
    decided: z.int().meta({ description: "Markets that made a profit or a loss." }),
    win_rate: figure("wins over decided, a fraction from 0 to 1; null with not_enough_data.", 0.58),
    expected_win_rate: figure(
      "Mean price paid, a fraction from 0 to 1: how often the prices said it would win. Null with not_enough_data.",
      0.51,
    ),
    pnl: z.number().meta({ description: "Dollars made in them." }),
    cost: z.number().meta({ description: "Dollars paid in them." }),
    return_on_cost: figure("pnl over cost, a fraction: 0.1 is 10 percent. Null with not_enough_data.", 0.0731),
    status: z.enum(["measured", "not_enough_data"]).meta({ description: "measured from five decided markets on." }),
  })
  .meta({ description: "The wallet's record in one category." });

export const Trader = z
  .object({
    id: z.string().meta({ description: "The wallet's trd_ id; of one that we have never seen, its address behind the prefix." }),
    address: walletAddress,
    username: usernameIfAny,
    grade: z.enum(GRADES).optional().meta({
      description:
        "Letter for skill, S best and F worst: whether its settled purchases won more often than the prices paid imply. Left out when ungraded.",
    }),
    score: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: "Skill, 0 to 100; 50 is exactly what the prices paid imply. Left out when ungraded." }),
    forecast_score: z.number().min(0).max(100).optional().meta({
      description: "Chance in percent, 0 to 100, that the wallet's true edge is above zero. Left out when ungraded.",
    }),
    forecast_evidence: z.number().min(0).max(1).optional().meta({
      description:
        "Fraction from 0 to 1 of the forecast that rests on the wallet's own settled purchases; the rest is the population's. There for ungraded wallets too; left out while none of its purchases has been counted, or too few wallets are known.",
    }),
    streak_tier: z
      .enum(["hot", "rising", "neutral", "cooling", "cold"])
      .optional()
      .meta({ description: "Form of the last seven days among all active wallets, whatever the grade; left out for inactive ones." }),
    rank: z
      .int()
      .optional()
      .meta({ description: "Place on the overall leaderboard, from 1; left out when it is not among the first thousand." }),
    pnl: z
      .object({
        total: z.number().optional().meta({
          description:
            "Dollars: the provider's own all-time figure, which is not realized + unrealized; left out when its board does not rank the wallet.",
        }),
        net_total: z.number().optional().meta({ description: "Dollars: realized + unrealized; left out when either is." }),
        realized: z.number().optional().meta({
          description:
            "Dollars: made by sales, merges and settled markets, with known fees and rebates; left out until the wallet's history in ordinary markets is known. What it leaves out is in data_quality, group pnl.",
        }),
        unrealized: z.number().optional().meta({
          description:
            "Dollars: what shares held in ordinary markets are worth less what they cost; left out when one holding has no price.",
        }),
        exact: z.object({ realized: ExactDecimal }).optional().meta({ description: "The same with every digit; left out with realized." }),
        correction: PnlCorrection.optional(),
      })
      .meta({ description: "Profit and loss over the wallet's whole life." }),
    stats: z
      .object({
        markets_traded: z.int().optional().meta({ description: "Markets it ever held shares in." }),
        win_rate: z.number().optional().meta({
          description: "Percent, 0 to 100, of resolved markets with any known profit or loss that made a profit; left out without one.",
        }),
        daily_win_rate: z.number().optional().meta({
          description: "Percent, 0 to 100, of UTC days with any profit or loss that made a profit; left out without one.",
        }),
        total_volume: z.number().optional().meta({ description: "Dollars bought and sold for, over its whole life." }),
        exact: z.object({ total_volume: ExactDecimal }).optional().meta({ description: "The same with every digit." }),
      })
      .meta({ description: "Counts over the wallet's whole life. Empty until its history in ordinary markets is known." }),
    strategy: z
      .object({
        strategy_type: z.enum(STRATEGIES).meta({ description: "Name of the behaviour that stands out." }),
        description: z.string().meta({ description: "The behaviour in a sentence." }),
      })
      .optional()
      .meta({
        description: "With expand=strategy: how the wallet trades, not how well. Left out when it has too few fills to show a behaviour.",
        example: { strategy_type: "diversified", description: "Spreads its money over several categories." },
      }),
    category_strengths: z.record(z.string(), CategoryStrength).optional().meta({
      description:
        "With expand=categories, by category: settled markets that cost at least 20 dollars and were bought between 0.05 and 0.95 dollars a share. Left out without one.",
    }),
    category_records: z
      .array(CategorySkillV2)
      .optional()
      .meta({ description: "With expand=categories: skill by category over all settled purchases. Left out when none was in a category." }),
    category_skill_model: CategorySkillModelReadiness.optional(),
    quant_metrics: TraderQuantMetrics.optional().meta({
      description: "With expand=quant_metrics: how steadily the wallet earns. Left out when it was computed six hours ago or more.",
    }),
    last_active: z.iso.datetime().optional().meta({ description: "Its last recorded fill, UTC; left out without one." }),
    synced_at: z.iso.datetime().optional().meta({
      description: "When its activity was last read to the end, UTC; left out while it never was.",
    }),
    sync_status: z.enum(["synced", "pending", "unknown"]).meta({
      description: "synced: its activity has been read to the end. pending: it is being read. unknown: nobody follows the wallet.",
    }),
    data_quality: DataQuality,
    trust: TraderTrust.optional().meta({ description: "With expand=trust: how far each value can be relied on, by its name." }),
  })
  .meta({ id: "Trader", description: "One wallet. What is left out is not known.", examples: [TRADER_EXAMPLE] });
