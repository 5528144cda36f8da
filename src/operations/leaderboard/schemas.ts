import { z } from "zod";
import { STRATEGIES } from "../../domain/strategies.ts";

const Grade = z.enum(["S", "A", "B", "C", "D", "F"]);
const StreakTier = z.enum(["hot", "rising", "neutral", "cooling", "cold"]).meta({ description: "Left out for inactive wallets." });

export const LeaderboardEntry = z
  .object({
    id: z.string(),
    address: z.string(),
    username: z.string().optional(),
    grade: z.enum(["S", "A", "B"]),
    streak_tier: StreakTier.optional(),
    score: z.number().min(0).max(100).meta({ description: "Skill, 0 to 100; 50 is exactly what the prices paid imply." }),
    realized_pnl: z.number().optional().meta({ description: "Dollars, with known fees; rebates count on the overall board only." }),
    volume: z.number().optional(),
    markets_traded: z.int().optional(),
    win_rate: z.number().optional().meta({ description: "Fraction of resolved markets with any profit or loss that made a profit." }),
    strategy_type: z.enum(STRATEGIES).optional(),
    platform: z.literal("polymarket"),
    last_active: z.iso.datetime().optional(),
  })
  .meta({ id: "LeaderboardEntry" });

export const TrendingWallet = z
  .object({
    id: z.string(),
    address: z.string(),
    rank: z.int(),
    username: z.string().optional(),
    profile_image_url: z.string().optional(),
    platform: z.literal("polymarket"),
    trending_pnl_usd: z.number().meta({ description: "The provider's own figure for the window; the order of the list." }),
    window_volume_usd: z.number().optional(),
    window_volume_shares: z.number().optional(),
    window_markets_traded: z.int(),
    window_trade_days: z.int(),
    grade: Grade.optional(),
    streak_tier: StreakTier.optional(),
    last_synced: z.iso.datetime().optional(),
    daily_pnl_series: z
      .array(z.object({ date: z.iso.date(), pnl_usd: z.number() }))
      .meta({ description: "Realized by our records, oldest first; empty where we hold none." }),
  })
  .meta({ id: "TrendingWallet" });
