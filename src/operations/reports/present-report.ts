import type { z } from "zod";
import { LARGE_TRADE_MAX_PRICE } from "../../domain/trades/large-trade.ts";
import { presentDecimal, presentUsd } from "../../domain/money.ts";
import { rangeEnd, finalAfter, type DayRange, type ReportKind } from "../../domain/reports/report-periods.ts";
import type { StoredReport } from "../../domain/reports/stored-report.ts";
import { isReportUnread, presentReportCompleteness } from "./report-completeness.ts";
import type { ReportSnapshot } from "./schemas.ts";

type Payload = z.input<typeof ReportSnapshot>["report"];

export interface ReportToPresent {
  readonly kind: ReportKind;
  readonly range: DayRange;
  readonly report: StoredReport;
  readonly status: "rolling" | "final";
  /** 0 for a report that is computed and not stored. */
  readonly version: number;
  readonly generatedAt: string;
  readonly readStartedAt: string;
}

export function presentReport(input: ReportToPresent, now: Date): z.input<typeof ReportSnapshot> {
  const { kind, range, report, status, version, generatedAt } = input;
  const finalAt = finalAfter(range).toISOString();
  return {
    kind,
    generated_at: generatedAt,
    source_range: { start_date: range.startOn, end_date: range.endOn, timezone: "UTC" },
    snapshot: {
      version,
      storage: version === 0 ? "ephemeral" : "durable",
      status,
      generated_at: generatedAt,
      mutable_until: status === "final" ? null : finalAt.slice(0, 10),
      period_closed: now >= rangeEnd(range),
      final_after: finalAt,
      source_read_started_at: input.readStartedAt,
    },
    completeness: presentReportCompleteness(range, report, status === "final", now),
    reconciliation: RECONCILIATION,
    report: isReportUnread(report) ? UNKNOWN : presentPayload(report),
  };
}

const RECONCILIATION: z.input<typeof ReportSnapshot>["reconciliation"] = {
  volume_kind: "local_whale_activity_volume",
  whale_volume_source: "large_trades.size_usd_micro (takers' trades that were detected at or above the capture floor)",
  notes:
    "Not the provider's volume: smaller trades, maker sides and trades at a price of " +
    `${LARGE_TRADE_MAX_PRICE} or more are not counted. Trades in a market without a known category count in ` +
    "the totals and in no category.",
};

const UNKNOWN: Payload = {
  total_large_trades: null,
  total_whale_trades: null,
  total_large_trade_volume: null,
  total_whale_volume: null,
  biggest_trade_size: null,
  active_traders: null,
  top_large_trades: null,
  top_whale_trades: null,
  categories: null,
  grade_distribution: null,
};

function presentPayload(report: StoredReport): Payload {
  const volume = presentUsd(report.volume_micro);
  const top = report.top.map(presentTopTrade);
  return {
    total_large_trades: report.trades,
    total_whale_trades: report.trades,
    total_large_trade_volume: volume,
    total_whale_volume: volume,
    biggest_trade_size: report.biggest_micro === null ? null : presentUsd(report.biggest_micro),
    active_traders: report.traders,
    top_large_trades: top,
    top_whale_trades: top,
    categories: report.categories.map(({ category, trades, volume_micro }) => ({
      category,
      whale_trade_count: trades,
      category_volume: presentUsd(volume_micro),
    })),
    grade_distribution: report.grades.map(({ grade, traders: count }) => ({ grade, count })),
  };
}

function presentTopTrade(trade: StoredReport["top"][number]): NonNullable<Payload["top_large_trades"]>[number] {
  return {
    outcome: trade.outcome,
    side: trade.side,
    title: trade.title,
    size: presentUsd(trade.size_micro),
    price: presentDecimal(trade.price, 4),
    token_id: trade.token_id,
    id: trade.id,
    trade_time: trade.traded_at,
    market_category: trade.category,
    platform: "polymarket",
    name: trade.name,
    pseudonym: null,
    trader_grade: trade.grade,
  };
}
