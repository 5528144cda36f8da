import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";
import { STRATEGIES } from "../../domain/strategies.ts";
import { TrustCompleteness } from "../trust.ts";
import { PnlCorrection } from "../traders/present-correction.ts";
import { traderId, usernameIfAny, walletAddress } from "../fields.ts";

const StreakTier = z.enum(["hot", "rising", "neutral", "cooling", "cold"]).meta({
  description: "Form of the last seven days among all active wallets; left out for inactive ones.",
});
/** The object under the same name as a trader's, without the part that the leaderboard leaves out. */
const ListedCorrection = PnlCorrection.omit({ net_total: true }).meta({
  description:
    "How far the provider's account differs from ours where both can be measured. Left out when nothing could be, and when rounding explains the difference.",
});
const usd = (description: string) => z.number().meta({ description: `Dollars: ${description}` });
const id = traderId;
const address = walletAddress;
const platform = z.literal("polymarket").meta({ description: "Where the wallet trades." });
const EXAMPLE_CORRECTION = {
  basis: "realized_by_market_v1" as const,
  amount: -1520.35,
  realized: 48210.07,
  as_of: "2026-11-20T12:05:00.000Z",
  markets_measured: 41,
  markets_excluded: 3,
};

export const LeaderboardEntry = z
  .object({
    id,
    address,
    username: usernameIfAny,
    grade: z
      .enum(["S", "A", "B"])
      .meta({ description: "Letter for skill when the ranking was built, S best. Only S, A and B are ranked." }),
    streak_tier: StreakTier.optional(),
    score: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: "Skill when the ranking was built, 0 to 100; 50 is exactly what the prices paid imply." }),
    pnl: usd("the provider's own all-time figure. Left out when its board does not rank the wallet.").optional(),
    realized_pnl: usd("realized by our account in ordinary markets, with known fees; rebates count on the overall board only.").optional(),
    pnl_correction: ListedCorrection.optional(),
    volume: usd("purchases and sales over the whole history, on a category's board those in the category.").optional(),
    markets_traded: z
      .int()
      .optional()
      .meta({ description: "Markets it ever held shares in; on a category's board those in the category." }),
    win_rate: z.number().optional().meta({
      description:
        "Fraction from 0 to 1 of resolved markets with any profit or loss that made a profit, over all categories whatever the filter; markets whose profit is not known are no part of it. Left out while no market is decided.",
    }),
    strategy_type: z
      .enum(STRATEGIES)
      .optional()
      .meta({ description: "How the wallet trades, not how well; left out when too little is known." }),
    completeness: TrustCompleteness,
    platform,
    last_active: z.iso.datetime().optional().meta({ description: "Its last recorded fill, UTC; left out without one." }),
  })
  .meta({
    id: "LeaderboardEntry",
    description: "One wallet of the ranking; its place is its place in the list.",
    examples: [
      {
        id: "trd_12",
        address: "0x0000000000000000000000000000000000000012",
        grade: "S",
        score: 81.4,
        pnl: 50210.07,
        realized_pnl: 48190.2,
        pnl_correction: EXAMPLE_CORRECTION,
        volume: 912004.33,
        markets_traded: 164,
        win_rate: 0.5731,
        strategy_type: "diversified",
        completeness: { status: "complete" },
        platform: "polymarket",
        last_active: "2026-11-20T11:58:03.000Z",
      },
    ],
  });

export const TrendingWallet = z
  .object({
    id,
    address,
    rank: z.int().meta({ description: "Place on the provider's board, from 1." }),
    username: usernameIfAny,
    profile_image_url: z.string().optional().meta({ description: "Address of its picture on the provider; left out when it has none." }),
    platform,
    trending_pnl_usd: usd("the provider's own figure for the window; the order of the list."),
    window_volume_usd: usd("our records of whole UTC days, purchases and sales. Left out until the wallet's activity is known.").optional(),
    window_volume_shares: z
      .number()
      .optional()
      .meta({ description: "Shares traded in the window by the provider's count, not dollars. Left out when it gave none." }),
    window_markets_traded: z.int().meta({ description: "Markets with an entry of ours in the window." }),
    window_trade_days: z.int().meta({ description: "UTC days with an entry of ours in the window." }),
    grade: z.enum(GRADES).optional().meta({ description: "Letter for skill today, S best and F worst; left out when ungraded." }),
    streak_tier: StreakTier.optional(),
    all_time_pnl_usd: usd(
      "realized by our account in ordinary markets with fees and rebates, and what is held above its cost. Left out when either is not known.",
    ).optional(),
    pnl_correction: PnlCorrection.optional(),
    completeness: TrustCompleteness,
    all_time_score: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: "Skill today, 0 to 100; 50 is exactly what the prices paid imply. Left out when ungraded." }),
    last_synced: z.iso
      .datetime()
      .optional()
      .meta({ description: "When its activity was last read to the end, UTC; left out while it never was." }),
    daily_pnl_series: z
      .array(z.object({ date: z.iso.date().meta({ description: "UTC day." }), pnl_usd: usd("realized on the UTC day.") }))
      .meta({ description: "Realized by our records, oldest first; empty where we hold none. It need not add up to trending_pnl_usd." }),
  })
  .meta({
    id: "TrendingWallet",
    description: "One wallet of the provider's profit board, with what our records say of it.",
    examples: [
      {
        id: "trd_12",
        address: "0x0000000000000000000000000000000000000012",
        rank: 1,
        platform: "polymarket",
        trending_pnl_usd: 120450.11,
        window_volume_usd: 88012.5,
        window_volume_shares: 160220.4,
        window_markets_traded: 14,
        window_trade_days: 6,
        grade: "A",
        all_time_pnl_usd: 51002.6,
        pnl_correction: { ...EXAMPLE_CORRECTION, net_total: 51002.6 },
        completeness: { status: "complete" },
        all_time_score: 66.2,
        last_synced: "2026-11-20T12:05:00.000Z",
        daily_pnl_series: [{ date: "2026-11-20", pnl_usd: 812.4 }],
      },
    ],
  });
