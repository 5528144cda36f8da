import type { z } from "zod";
import { formatId } from "../../domain/ids.ts";
import { presentDecimal, presentUsd } from "../../domain/money.ts";
import type { LargeTradeRow } from "../../queries/trades/large-trades.ts";
import { summarizeQuality, type DataQuality } from "../data-quality.ts";
import type { LargeTrade } from "./schemas.ts";

const ASSESSED_ONCE =
  "each trade is assessed once, after the activity before it has been read; until then the value is unknown and " +
  "suspicion_status is not_judged";

export function presentLargeTrade(row: LargeTradeRow): z.input<typeof LargeTrade> {
  const share = presentDecimal(row.market_volume_share, 4);
  return {
    id: formatId("largeTrade", row.id),
    traded_at: row.traded_at,
    size_usd: presentUsd(row.size_usd_micro),
    side: row.side,
    outcome: row.outcome_label,
    token_id: row.token_id,
    price: presentDecimal(row.price, 4),
    review_score: row.review_score,
    signal_score: row.review_score,
    recorded_review_score: row.recorded_review_score,
    recorded_signal_score: row.recorded_review_score,
    suspicion_score: row.suspicion_score,
    suspicion_track: row.suspicion_track,
    suspicion_status: row.suspicion_score !== null ? "scored" : row.is_judged ? "nothing_found" : "not_judged",
    ...(share === null ? {} : { market_volume_share: share }),
    trader: {
      id: formatId("trader", row.trader_id),
      address: row.address,
      ...(row.username === null ? {} : { username: row.username }),
      ...(row.grade === null ? {} : { grade: row.grade }),
      grade_at_trade: row.grade_at_trade,
      grade_at_trade_status: row.grade_at_trade_status,
    },
    market: {
      id: formatId("market", row.market_id),
      condition_id: row.condition_id,
      title: row.title ?? row.slug ?? row.condition_id,
      ...(row.slug === null ? {} : { slug: row.slug }),
      ...(row.category === null ? {} : { category: row.category }),
    },
  };
}

/** @param feedReadAt time of the last read of the taker feed; null before the first read */
export function presentLargeTradeQuality(feedReadAt: string | null): z.input<typeof DataQuality> {
  const owner = "large_trades.recorded_at";
  return summarizeQuality([
    feedReadAt === null
      ? { group: "trades", owner, status: "unavailable", reason: "the trade feed has not been read yet" }
      : { group: "trades", owner, status: "fresh", as_of: feedReadAt },
    {
      group: "grades",
      owner: "traders.grade",
      status: "untracked",
      reason: "each trader's grade has its own timestamp",
    },
    { group: "suspicion", owner: "large_trades.suspicion_score", status: "untracked", reason: ASSESSED_ONCE },
    {
      group: "market_volume_share",
      owner: "large_trades.market_volume_share",
      status: "untracked",
      reason: ASSESSED_ONCE,
    },
  ]);
}
