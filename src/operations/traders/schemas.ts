import { z } from "zod";
import { DataQuality } from "../data-quality.ts";
import { TrustMetadata } from "../trust.ts";

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

export const Trader = z
  .object({
    id: z.string().meta({ description: "trd_ id; of a wallet that we have never seen, its address behind the prefix." }),
    address: z.string(),
    username: z.string().optional(),
    grade: z.enum(["S", "A", "B", "C", "D", "F"]).optional(),
    pnl: z.object({
      realized: z.number().optional().meta({ description: "With fees and rebates; left out until the wallet's whole history is known." }),
      exact: z.object({ realized: ExactDecimal }).optional(),
    }),
    stats: z.object({
      markets_traded: z.int().optional(),
      win_rate: z.number().optional().meta({ description: "Percent of resolved markets with any profit or loss that made a profit." }),
      total_volume: z.number().optional().meta({ description: "Lifetime dollars, buys and sells." }),
      exact: z.object({ total_volume: ExactDecimal }).optional(),
    }),
    last_active: z.iso.datetime().optional(),
    synced_at: z.iso.datetime().optional(),
    sync_status: z.enum(["synced", "pending", "unknown"]),
    data_quality: DataQuality,
    trust: TraderTrust.optional().meta({ description: "With expand=trust." }),
  })
  .meta({ id: "Trader" });
