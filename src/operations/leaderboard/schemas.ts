import { z } from "zod";
import { GRADES } from "../../domain/traders/grades.ts";
import { STRATEGIES } from "../../domain/traders/strategies.ts";
import { TrustCompleteness } from "../trust.ts";
import { ProviderPnlCorrection } from "../traders/present/present-correction.ts";
import { traderId, optionalUsername, walletAddress } from "../shared-fields.ts";

const StreakTier = z.enum(["hot", "rising", "neutral", "cooling", "cold"]).meta({
  description: "Recent form: the last seven days compared with all active traders; left out for inactive traders.",
});
/** The `pnl_correction` of a trader without `net_total`, which the leaderboard leaves out. */
const ListedCorrection = ProviderPnlCorrection.omit({ net_total: true }).meta({
  description:
    "Difference between the provider's profit figures and ours where both can be measured. Left out when nothing " +
    "can be measured, or when rounding explains the difference.",
});
const usd = (description: string) => z.number().meta({ description: `Dollars: ${description}` });
const id = traderId;
const address = walletAddress;
const platform = z.literal("polymarket").meta({ description: "Platform where the trader trades." });
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
    username: optionalUsername,
    grade: z
      .enum(["S", "A", "B"])
      .meta({ description: "Skill grade when the ranking was built; S is the best. Only S, A and B are ranked." }),
    streak_tier: StreakTier.optional(),
    score: z.number().min(0).max(100).meta({
      description: "Skill score when the ranking was built, 0 to 100; 50 is exactly what the prices paid imply.",
    }),
    pnl: usd(
      "the provider's all-time profit figure. Left out when the provider's leaderboard does not rank the trader.",
    ).optional(),
    realized_pnl: usd(
      "realized profit in ordinary markets by our own accounting, with known fees; rebates count in " +
        "the overall ranking only.",
    ).optional(),
    pnl_correction: ListedCorrection.optional(),
    volume: usd("purchases and sales over the whole history; in a category ranking, those in the category.").optional(),
    markets_traded: z.int().optional().meta({
      description: "Markets in which the trader ever held shares; in a category ranking, those in the category.",
    }),
    win_rate: z
      .number()
      .optional()
      .meta({
        description:
          "Fraction from 0 to 1: resolved markets with a profit, of all resolved markets with a profit or a " +
          "loss. Covers all categories whatever the filter; markets with unknown profit are excluded. Left out " +
          "while no market is decided.",
      }),
    strategy_type: z
      .enum(STRATEGIES)
      .optional()
      .meta({ description: "Trading style, which says nothing about skill; left out when too little is known." }),
    completeness: TrustCompleteness,
    platform,
    last_active: z.iso.datetime().optional().meta({
      description: "Time of the last recorded fill, split, merge or conversion, UTC; left out when there is none.",
    }),
  })
  .meta({
    id: "LeaderboardEntry",
    description: "One ranked trader. The rank is the position in the list.",
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

export const TrendingTrader = z
  .object({
    id,
    address,
    rank: z.int().meta({ description: "Rank on the provider's leaderboard, starting at 1." }),
    username: optionalUsername,
    profile_image_url: z
      .string()
      .optional()
      .meta({ description: "URL of the trader's picture on the provider; left out when there is none." }),
    platform,
    trending_pnl_usd: usd("the provider's profit figure for the window. It orders the list."),
    window_volume_usd: usd(
      "purchases and sales in our records, over whole UTC days. Left out until the trader's activity is known.",
    ).optional(),
    window_volume_shares: z.number().optional().meta({
      description:
        "Shares traded in the window as counted by the provider, not dollars. Left out when the provider gives none.",
    }),
    window_markets_traded: z
      .int()
      .meta({ description: "Markets with a ledger entry in our records within the window." }),
    window_trade_days: z.int().meta({ description: "UTC days with a ledger entry in our records within the window." }),
    grade: z
      .enum(GRADES)
      .optional()
      .meta({ description: "Current skill grade, S best and F worst; left out when ungraded." }),
    streak_tier: StreakTier.optional(),
    all_time_pnl_usd: usd(
      "realized profit in ordinary markets by our own accounting with fees and rebates, plus the unrealized " +
        "profit of open shares. Left out when either is not known.",
    ).optional(),
    all_time_pnl_as_of: z.iso
      .datetime()
      .optional()
      .meta({
        description:
          "Time up to which the open shares in `all_time_pnl_usd` are valued at current prices, UTC; later price changes " +
          "may be missing. Left out with that figure.",
      }),
    pnl_correction: ProviderPnlCorrection.optional(),
    completeness: TrustCompleteness,
    all_time_score: z.number().min(0).max(100).optional().meta({
      description: "Current skill score, 0 to 100; 50 is exactly what the prices paid imply. Left out when ungraded.",
    }),
    last_synced: z.iso
      .datetime()
      .optional()
      .meta({ description: "When the trader's activity was last read to its end, UTC; left out if it never was." }),
    daily_pnl_series: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: "UTC day." }),
          pnl_usd: usd("realized profit on the UTC day."),
        }),
      )
      .meta({
        description:
          "Realized profit per day in our records, oldest first. Days with a profit of exactly 0 are left out, so it is empty " +
          "for a trader that realized nothing. The sum can differ from trending_pnl_usd.",
      }),
  })
  .meta({
    id: "TrendingWallet",
    description: "One trader on the provider's profit leaderboard, with figures from our own records.",
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
        all_time_pnl_as_of: "2026-11-20T12:06:30.000Z",
        pnl_correction: { ...EXAMPLE_CORRECTION, net_total: 51002.6 },
        completeness: { status: "complete" },
        all_time_score: 66.2,
        last_synced: "2026-11-20T12:05:00.000Z",
        daily_pnl_series: [{ date: "2026-11-20", pnl_usd: 812.4 }],
      },
    ],
  });
