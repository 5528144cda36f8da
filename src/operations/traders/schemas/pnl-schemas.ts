import { z } from "zod";
import { traderId } from "../../shared-fields.ts";
import { TrustCompleteness } from "../../trust.ts";

/** The sections of a trader's P&L history, in the order of the response. */
export const PNL_SECTIONS = ["entries", "stats", "monthly", "year_totals", "drawdown"] as const;

const usd = (description: string) => z.number().meta({ description: `Dollars: ${description}` });

const Entry = z.object({
  date: z.iso.date().meta({ description: "UTC day." }),
  markets_traded: z.int().optional().meta({ description: "Markets with a buy or sell on the day." }),
  total_volume: usd("volume of the buys and sells of the day.").optional(),
  cumulative_profit: usd(
    "profit realized from the first recorded day to this one, including known fees and rebates.",
  ).optional(),
  daily_change: usd(
    "profit realized on the day. Shares held until settlement count on the day on which their market settled.",
  ),
});

const PeriodStats = z
  .object({
    current: usd("cumulative profit at the end of the window, over the whole history."),
    change: usd("current minus rebase_anchor."),
    change_pct: z.number().meta({
      description:
        "change in percent of the absolute value of rebase_anchor. If rebase_anchor is 0, the percentage " +
        "is undefined: the number then gives only the direction (100, -100 or 0), so do not show it as a percentage.",
    }),
    best_day: usd(
      "highest daily result in the window; 0 in a window without a recorded day, because nothing was realized.",
    ),
    best_day_date: z.iso
      .date()
      .optional()
      .meta({ description: "UTC day of best_day. Omitted in a window without a recorded day." }),
    worst_day: usd("lowest daily result in the window; 0 in a window without a recorded day."),
    worst_day_date: z.iso
      .date()
      .optional()
      .meta({ description: "UTC day of worst_day. Omitted in a window without a recorded day." }),
    win_days: z.int().meta({ description: "Days with a profit." }),
    loss_days: z.int().meta({ description: "Days with a loss." }),
    avg_day: usd("change divided by the number of recorded days in the window; 0 in a window without one."),
    rebase_anchor: usd("cumulative profit just before the window."),
  })
  .meta({ id: "TraderPnlPeriodStats", description: "Realized profit in one window of UTC days." });

const View = z
  .object({
    from: z.iso.date().nullable().meta({ description: "First requested UTC day; null without a bound." }),
    to: z.iso.date().nullable().meta({ description: "Last requested UTC day; null without a bound." }),
    sections: z
      .array(z.enum(PNL_SECTIONS))
      .meta({ description: "The returned sections, in the order of the response." }),
    entries_total: z.int().meta({ description: "Number of recorded days in the whole history." }),
    entries_in_window: z.int().meta({ description: "Number of recorded days from `from` to `to`, inclusive." }),
    anchor: z
      .object({
        date: z.iso.date().meta({ description: "UTC day." }),
        cumulative_profit: z
          .number()
          .nullable()
          .meta({ description: "Dollars: profit realized up to and including that day; null when unknown." }),
        total_pnl: z
          .number()
          .nullable()
          .meta({ description: "Always null, because the unrealized profit of past days is not recorded." }),
        drawdown: z.number().nullable().meta({
          description:
            "Dollars: distance below the highest cumulative profit so far, 0 or negative; null when unknown.",
        }),
      })
      .nullable()
      .meta({
        description:
          "The last recorded day before `from`, where the limited curve starts. Null without `from`, or " +
          "when there is no earlier day.",
      }),
  })
  .meta({ description: "The requested view. Present when `from`, `to` or `sections` was sent." });

export const TraderPnl = z
  .object({
    id: traderId,
    view: View.optional(),
    freshness_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          "Time of the last complete read of the trader's activity, UTC. Null while the trader's history in " +
          "ordinary markets is not known; all sections are then omitted, because a curve with gaps would be wrong.",
      }),
    completeness: TrustCompleteness,
    entries: z.array(Entry).optional().meta({
      description: "Recorded days, oldest first, limited to `from` and `to`. Cumulative values are not rebased.",
    }),
    stats: z
      .object({ all: PeriodStats, d90: PeriodStats, d30: PeriodStats, d7: PeriodStats })
      .optional()
      .meta({
        description:
          "Statistics over all days, and over the 90, 30 and 7 UTC days that end today, independent of `from` " +
          "and `to`.",
      }),
    monthly: z
      .array(
        z.object({
          year: z.int().meta({ description: "UTC year." }),
          month: z.int().min(1).max(12).meta({ description: "Month of the year, 1 to 12." }),
          pnl: usd("profit realized in the month."),
          markets_traded: z.int().meta({ description: "Markets with a buy or sell in the month." }),
        }),
      )
      .optional()
      .meta({
        description: "Whole UTC months with a recorded day or a fill, oldest first; not limited by `from` and `to`.",
      }),
    year_totals: z
      .array(z.object({ year: z.int().meta({ description: "UTC year." }), pnl: usd("profit realized in the year.") }))
      .optional()
      .meta({ description: "Whole UTC years with a recorded day, oldest first; not limited by `from` and `to`." }),
    drawdown: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: "UTC day." }),
          cumulative_profit: usd("profit realized up to and including the day."),
          drawdown: usd("distance below the highest cumulative profit of the whole history so far; 0 or negative."),
        }),
      )
      .optional()
      .meta({ description: "Recorded days, limited to `from` and `to`. The peak is that of the whole history." }),
  })
  .meta({
    id: "TraderPnl",
    description: "Realized profit of one trader by day, month and year. Sections that were not requested are omitted.",
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
        entries: [
          { date: "2026-11-03", markets_traded: 2, total_volume: 812.5, cumulative_profit: 5290.4, daily_change: 80 },
        ],
      },
    ],
  });
