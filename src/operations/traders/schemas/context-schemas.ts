import { z } from "zod";
import { Trader } from "./schemas.ts";
import { TRADER_EXAMPLE } from "./trader-example.ts";

const PositionSummary = z
  .object({
    markets_total: z.int().nullable().meta({
      description: "Number of markets according to the provider. Always null, because the provider does not report it.",
    }),
    markets_synced: z.int().min(0).meta({ description: "Markets in which the trader ever had shares." }),
    markets_resolved: z.int().min(0).meta({ description: "Markets of these in which all shares have settled." }),
    markets_open: z.int().min(0).meta({ description: "Markets with an open position of a value above 0." }),
    sync_coverage: z
      .number()
      .min(0)
      .max(1)
      .meta({
        description:
          "Fraction from 0 to 1 of the trader's markets whose profit is known. Combinations, and markets " +
          "from which shares without a recorded acquisition left, are not known. 0 for a trader without markets.",
      }),
    synced_realized_pnl: z.number().meta({
      description: "total_realized_pnl minus the realized profit of positions that are still open, in dollars.",
    }),
    total_realized_pnl: z.number().meta({
      description: "Realized profit including known fees and rebates, in dollars; equal to `trader.pnl.realized`.",
    }),
    unrealized_mtm: z
      .number()
      .meta({ description: "Value of open positions at market prices minus their cost, in dollars." }),
    cost_basis_locked: z.number().meta({ description: "Cost of open positions, in dollars." }),
    resolved_win_rate: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: "Percent from 0 to 100 of decided markets with a profit; null without a decided market." }),
    resolved_wins: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Resolved markets with a profit; null when not counted." }),
    resolved_decided: z.int().min(0).nullable().meta({
      description: "Resolved markets with a profit or a loss; null when not counted.",
    }),
    as_of: z.iso.datetime().nullable().meta({
      description: "Time of the last complete read of the trader's activity, UTC; null before the first one.",
    }),
  })
  .meta({ id: "TraderPositionSummary", description: "Totals of the trader's positions." });

export const TraderContext = z
  .object({
    trader: Trader,
    position_summary: PositionSummary.optional().meta({
      description:
        "Omitted when the trader's history in ordinary markets is not known, or when an open position has no price.",
    }),
    data_as_of: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          "Time of the figures, UTC: `position_summary.as_of`, or else the last complete read of the " +
          "trader's activity. Null before the first read.",
      }),
    freshness_note: z.string().meta({ description: "Age and completeness of the figures, as text." }),
  })
  .meta({
    id: "TraderContext",
    description: "One trader with a position summary and a note on freshness.",
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
