import type { z } from "zod";
import { formatId } from "../../../domain/ids.ts";
import { presentUsd } from "../../../domain/money.ts";
import { presentFloat } from "../../../domain/present-float.ts";
import { traderCompleteness } from "../../../domain/traders/trader-completeness.ts";
import type { PnlDay, TraderPnlCurve } from "../../../queries/traders/pnl-days.ts";
import { drawdownCurve } from "../../../scoring/metrics/series/drawdown.ts";
import { periodStats, type PeriodStats } from "../../../scoring/metrics/series/period-stats.ts";
import { monthlyTotals, yearTotals } from "../../../scoring/metrics/series/period-totals.ts";
import { presentCompleteness } from "../../trust.ts";
import { PNL_SECTIONS, type TraderPnl } from "../schemas/pnl-schemas.ts";

type PnlData = z.input<typeof TraderPnl>;

export type PnlSection = (typeof PNL_SECTIONS)[number];

/** The request. Dates are YYYY-MM-DD in UTC, inclusive; null means no bound. */
export interface PnlRequest {
  readonly from: string | null;
  readonly to: string | null;
  /** Null selects all sections. */
  readonly sections: readonly PnlSection[] | null;
}

/** @param today YYYY-MM-DD, the last day of the trailing windows */
export function presentPnlHistory(trader: TraderPnlCurve, request: PnlRequest, today: string): PnlData {
  const completeness = presentCompleteness(traderCompleteness(trader.history));
  const head = { id: formatId("trader", trader.id), freshness_at: trader.syncedAt, completeness };
  if (trader.syncedAt === null) return head;
  const sections = request.sections ?? PNL_SECTIONS;
  const hasView = request.from !== null || request.to !== null || request.sections !== null;
  const inside = ({ day }: { day: string }) => isInside(day, request);
  const data: Required<Omit<PnlData, "view" | "id" | "freshness_at" | "completeness">> = {
    entries: trader.days.filter(inside).map(presentEntry),
    stats: presentStats(trader.days, today),
    monthly: monthlyTotals(trader.days, trader.marketsByMonth).map((month) => ({
      year: month.year,
      month: month.month,
      pnl: presentUsd(month.pnlMicro),
      markets_traded: month.marketsTraded,
    })),
    year_totals: yearTotals(trader.days).map(({ year, pnlMicro }) => ({ year, pnl: presentUsd(pnlMicro) })),
    drawdown: drawdownCurve(trader.days)
      .filter(inside)
      .map((point) => ({
        date: point.day,
        cumulative_profit: presentUsd(point.cumulativeMicro),
        drawdown: presentUsd(point.drawdownMicro),
      })),
  };
  return {
    ...head,
    ...(hasView ? { view: presentView(trader.days, request, sections) } : {}),
    ...Object.fromEntries(sections.map((section) => [section, data[section]])),
  };
}

const isInside = (day: string, { from, to }: PnlRequest): boolean =>
  (from === null || day >= from) && (to === null || day <= to);

function presentView(days: readonly PnlDay[], request: PnlRequest, sections: readonly PnlSection[]): PnlData["view"] {
  const { from, to } = request;
  const anchor = from === null ? undefined : drawdownCurve(days).findLast(({ day }) => day < from);
  return {
    from,
    to,
    sections: [...sections],
    entries_total: days.length,
    entries_in_window: days.filter(({ day }) => isInside(day, request)).length,
    anchor:
      anchor === undefined
        ? null
        : {
            date: anchor.day,
            cumulative_profit: presentUsd(anchor.cumulativeMicro),
            total_pnl: null,
            drawdown: presentUsd(anchor.drawdownMicro),
          },
  };
}

const presentEntry = (day: PnlDay): NonNullable<PnlData["entries"]>[number] => ({
  date: day.day,
  ...(day.marketsTraded === null ? {} : { markets_traded: day.marketsTraded }),
  total_volume: presentUsd(day.volumeMicro),
  cumulative_profit: presentUsd(day.cumulativeMicro),
  daily_change: presentUsd(day.pnlMicro),
});

const presentStats = (days: readonly PnlDay[], today: string): NonNullable<PnlData["stats"]> => ({
  all: presentPeriod(periodStats(days, today, null)),
  d90: presentPeriod(periodStats(days, today, 90)),
  d30: presentPeriod(periodStats(days, today, 30)),
  d7: presentPeriod(periodStats(days, today, 7)),
});

function presentPeriod(stats: PeriodStats): NonNullable<PnlData["stats"]>["all"] {
  const { bestDay, worstDay } = stats;
  return {
    current: presentUsd(stats.currentMicro),
    change: presentUsd(stats.changeMicro),
    // The contract requires a number. Without a percentage it is the direction, as the schema description
    // says.
    change_pct: stats.changePct === null ? 100 * directionOf(stats.changeMicro) : presentFloat(stats.changePct, 2),
    best_day: presentUsd(bestDay?.pnlMicro ?? 0n),
    ...(bestDay === null ? {} : { best_day_date: bestDay.day }),
    worst_day: presentUsd(worstDay?.pnlMicro ?? 0n),
    ...(worstDay === null ? {} : { worst_day_date: worstDay.day }),
    win_days: stats.winDays,
    loss_days: stats.lossDays,
    avg_day: presentUsd(stats.averageDayMicro ?? 0n),
    rebase_anchor: presentUsd(stats.rebaseAnchorMicro),
  };
}

const directionOf = (micro: bigint): -1 | 0 | 1 => (micro > 0n ? 1 : micro < 0n ? -1 : 0);
