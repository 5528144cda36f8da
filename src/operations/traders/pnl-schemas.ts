import { z } from "zod";
import { traderId } from "../fields.ts";
import { TrustCompleteness } from "../trust.ts";

/** The parts of a wallet's P&L history, in the order of the answer. */
export const PNL_SECTIONS = ["entries", "stats", "monthly", "year_totals", "drawdown"] as const;

const usd = (description: string) => z.number().meta({ description: `Dollars: ${description}` });

const Entry = z.object({
  date: z.iso.date().meta({ description: "UTC day." }),
  markets_traded: z.int().optional().meta({ description: "Markets with a purchase or sale on the day." }),
  total_volume: usd("purchases and sales of the day.").optional(),
  cumulative_profit: usd("realized from the first recorded day to this one, with known fees and rebates.").optional(),
  daily_change: usd("realized on the day. Results of shares held to the end count on the day their market settled."),
});

const PeriodStats = z
  .object({
    current: usd("cumulative profit at the end of the window, over the whole history."),
    change: usd("current less rebase_anchor."),
    change_pct: z.number().meta({
      description:
        "change in percent of rebase_anchor's size. Where rebase_anchor is 0 there is no such percentage: the number then tells the direction alone (100, -100 or 0) and is not to be shown as a percentage.",
    }),
    best_day: usd("highest result of a day; 0 in a window without a recorded day, on whose days nothing was made."),
    best_day_date: z.iso.date().optional().meta({ description: "UTC day of best_day. Left out in a window without a recorded day." }),
    worst_day: usd("lowest result of a day; 0 in a window without a recorded day."),
    worst_day_date: z.iso.date().optional().meta({ description: "UTC day of worst_day. Left out in a window without a recorded day." }),
    win_days: z.int().meta({ description: "Days with a profit." }),
    loss_days: z.int().meta({ description: "Days with a loss." }),
    avg_day: usd("change over the recorded days of the window; 0 in a window without one."),
    rebase_anchor: usd("cumulative profit just before the window."),
  })
  .meta({ id: "TraderPnlPeriodStats", description: "Realized profit within one window of UTC days." });

const View = z
  .object({
    from: z.iso.date().nullable().meta({ description: "First UTC day asked for; null without a bound." }),
    to: z.iso.date().nullable().meta({ description: "Last UTC day asked for; null without a bound." }),
    sections: z.array(z.enum(PNL_SECTIONS)).meta({ description: "The sections answered, in their own order." }),
    entries_total: z.int().meta({ description: "Recorded days of the whole history." }),
    entries_in_window: z.int().meta({ description: "Recorded days between from and to, both included." }),
    anchor: z
      .object({
        date: z.iso.date().meta({ description: "UTC day." }),
        cumulative_profit: z
          .number()
          .nullable()
          .meta({ description: "Dollars: realized up to and with that day; null when it is not known." }),
        total_pnl: z.number().nullable().meta({ description: "Always null: what was unrealized on past days was not recorded." }),
        drawdown: z.number().nullable().meta({
          description: "Dollars: distance from the highest point so far, 0 or below; null when it is not known.",
        }),
      })
      .nullable()
      .meta({
        description: "The last recorded day before from: where the clipped curve begins. Null without from, or when no day is earlier.",
      }),
  })
  .meta({ description: "What was asked for. There when from, to or sections was sent." });

export const TraderPnl = z
  .object({
    id: traderId,
    view: View.optional(),
    freshness_at: z.iso.datetime().nullable().meta({
      description:
        "When the wallet's activity was last read to its end, UTC. Null while its history in ordinary markets is not known; every section is then left out, because a curve with gaps means nothing.",
    }),
    completeness: TrustCompleteness,
    entries: z.array(Entry).optional().meta({ description: "Recorded days, oldest first, clipped to from and to and never rebased." }),
    stats: z
      .object({ all: PeriodStats, d90: PeriodStats, d30: PeriodStats, d7: PeriodStats })
      .optional()
      .meta({ description: "Over all days, and the 90, 30 and 7 UTC days that end today, whatever from and to are." }),
    monthly: z
      .array(
        z.object({
          year: z.int().meta({ description: "UTC year." }),
          month: z.int().min(1).max(12).meta({ description: "Month of the year, 1 to 12." }),
          pnl: usd("realized in the month."),
          markets_traded: z.int().meta({ description: "Markets with a purchase or sale in the month." }),
        }),
      )
      .optional()
      .meta({ description: "Whole UTC months with a recorded day or a fill, oldest first; never clipped." }),
    year_totals: z
      .array(z.object({ year: z.int().meta({ description: "UTC year." }), pnl: usd("realized in the year.") }))
      .optional()
      .meta({ description: "Whole UTC years with a recorded day, oldest first; never clipped." }),
    drawdown: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: "UTC day." }),
          cumulative_profit: usd("realized up to and with the day."),
          drawdown: usd("below the highest point of the whole history so far; 0 or below."),
        }),
      )
      .optional()
      .meta({ description: "Recorded days, clipped to from and to; the peak is that of the whole history." }),
  })
  .meta({
    id: "TraderPnl",
    description: "Realized profit of one wallet by day, month and year. Sections that were not asked for are left out.",
    examples: [
      {
        id: "trd_12",
        view: {
          from: "2026-11-01",
          to: null,
          sections: ["entries"],
          entries_total: 214,
          entries_in_window: 1,
          anchor: { date: "2026-10-31", cumulative_profit: 5210.4, total_pnl: null, drawdown: -310.2 },
        },
        freshness_at: "2026-11-20T12:05:00.000Z",
        completeness: { status: "complete" },
        entries: [{ date: "2026-11-03", markets_traded: 2, total_volume: 812.5, cumulative_profit: 5290.4, daily_change: 80 }],
      },
    ],
  });
