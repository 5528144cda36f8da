import { z } from "zod";
import { Trader } from "./schemas.ts";
import { TRADER_EXAMPLE } from "./trader-example.ts";

const PositionSummary = z
  .object({
    markets_total: z.int().nullable().meta({ description: "Markets by the provider's count. Always null: it gives none." }),
    markets_synced: z.int().min(0).meta({ description: "Markets it ever held shares in." }),
    markets_resolved: z.int().min(0).meta({ description: "Of those, the ones in which all it held has settled." }),
    markets_open: z.int().min(0).meta({ description: "Markets in which its holdings are worth anything." }),
    sync_coverage: z.number().min(0).max(1).meta({
      description:
        "Fraction of its markets, from 0 to 1, whose profit is known: not combinations, nor those where it parted with shares that it was never seen to acquire. 0 for a wallet without any.",
    }),
    synced_realized_pnl: z
      .number()
      .meta({ description: "Dollars: total_realized_pnl less what sales out of holdings that are still open have made." }),
    total_realized_pnl: z
      .number()
      .meta({ description: "Dollars: made so far, with known fees and rebates; the same as trader.pnl.realized." }),
    unrealized_mtm: z.number().meta({ description: "Dollars: what open holdings are worth at the market less what they cost." }),
    cost_basis_locked: z.number().meta({ description: "Dollars that open holdings cost." }),
    resolved_win_rate: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: "Percent, 0 to 100, of decided markets that made a profit; null without one." }),
    resolved_wins: z.int().min(0).nullable().meta({ description: "Resolved markets that made a profit; null when they are not counted." }),
    resolved_decided: z.int().min(0).nullable().meta({
      description: "Resolved markets that made a profit or a loss; null when they are not counted.",
    }),
    as_of: z.iso.datetime().nullable().meta({
      description: "When the wallet's activity was last read to its end, UTC; null while it never was.",
    }),
  })
  .meta({ id: "TraderPositionSummary", description: "What the wallet's positions come to." });

export const TraderContext = z
  .object({
    trader: Trader,
    position_summary: PositionSummary.optional().meta({
      description: "Left out when the wallet's history in ordinary markets is not known, or one of its holdings has no price.",
    }),
    data_as_of: z.iso.datetime().nullable().meta({
      description:
        "What the figures are of, UTC: the clock of position_summary, else of the last reading. Null while the wallet was never read.",
    }),
    freshness_note: z.string().meta({ description: "How far to trust the age and completeness of this, in words." }),
  })
  .meta({
    id: "TraderContext",
    description: "One wallet with what its positions come to, and how far to trust it.",
    examples: [
      {
        trader: TRADER_EXAMPLE,
        position_summary: {
          markets_total: null,
          markets_synced: 214,
          markets_resolved: 190,
          markets_open: 22,
          sync_coverage: 1,
          synced_realized_pnl: 47_900.5,
          total_realized_pnl: 48_210.07,
          unrealized_mtm: 2_792.53,
          cost_basis_locked: 60_120.4,
          resolved_win_rate: 58.41,
          resolved_wins: 111,
          resolved_decided: 190,
          as_of: "2026-11-20T12:00:00.000Z",
        },
        data_as_of: "2026-11-20T12:00:00.000Z",
        freshness_note: "Trading figures are complete as of 2026-11-20T12:00:00.000Z.",
      },
    ],
  });
