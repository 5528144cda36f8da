import type { z } from "zod";
import { positionFreshness, type PositionFreshness } from "../../../domain/traders/position-freshness.ts";
import { formatId, formatPositionId } from "../../../domain/ids.ts";
import { formatMicro, presentMicro, presentUsd } from "../../../domain/money.ts";
import { presentPercent } from "../../../domain/present-share.ts";
import { NEW_TRADER_DAYS } from "../../../domain/traders/trader-badges.ts";
import type { PositionRow } from "../../../queries/positions/position-rows.ts";
import { divideRounded } from "../../../scoring/divide-rounded.ts";
import { presentRankedCompleteness } from "../../trust.ts";
import type { ValuedPositionRow } from "../position-cursor.ts";
import type { Position } from "../schemas/schemas.ts";
import { DAY_MS } from "../../../scoring/utc-calendar.ts";

type PositionData = z.input<typeof Position>;

/** @param now the time of the row: ages and freshness are computed as of this time */
export function presentPosition(row: ValuedPositionRow, now: Date): PositionData {
  const { address, condition_id, outcome_index } = row;
  const reconciledAt = reconciledAtOf(row);
  return {
    id: formatPositionId(address, condition_id, outcome_index),
    platform: "polymarket",
    wallet: address,
    side: outcome_index === 0 ? "YES" : "NO",
    token_id: row.token_id,
    shares: presentMicro(row.shares_micro, 6),
    current_value_usd: presentUsd(row.value_micro),
    ...presentAmounts(row),
    ...(reconciledAt === null ? {} : { last_reconciled_at: reconciledAt }),
    freshness: freshnessOf(row, now),
    trader: presentTrader(row, now),
    market: {
      id: formatId("market", row.market_id),
      condition_id,
      title: row.title ?? row.slug ?? condition_id,
      ...(row.slug === null ? {} : { slug: row.slug }),
      ...(row.event_slug === null ? {} : { event_slug: row.event_slug }),
      ...(row.category === null ? {} : { category: row.category }),
      ...(row.outcome_label === null ? {} : { outcome_label: row.outcome_label }),
      ...(row.end_at === null ? {} : { end_date: row.end_at }),
    },
  };
}

/**
 * Last time at which the shares were known to be right: the last complete read of the trader's activity, or
 * the newest fill if that is later, because fills are applied as they arrive. Null while the complete
 * activity is not known.
 */
export function reconciledAtOf({ reconciled_at: readAt, last_at: lastAt }: PositionRow): string | null {
  // Both are ISO 8601 strings in UTC with milliseconds, so they compare as text.
  return readAt !== null && lastAt > readAt ? lastAt : readAt;
}

/** Freshness of the position with its value. The value is stale while the market's result is pending. */
function freshnessOf(row: PositionRow, now: Date): PositionData["freshness"] {
  const freshness = holdingFreshnessOf(row, now);
  return row.phase === "open" || freshness === "unknown" ? freshness : "stale";
}

/** Freshness of the number of shares, without their value. */
export function holdingFreshnessOf(row: PositionRow, now: Date): PositionFreshness {
  const reconciledAt = reconciledAtOf(row);
  return positionFreshness(reconciledAt === null ? null : new Date(reconciledAt), row.tier, now);
}

const exact = (value: string, unit: string, scale: number, basis: string) => ({ value, unit, scale, basis });
const exactUsd = (micro: bigint, basis: string) => exact(formatMicro(micro), "USD", 6, basis);

/** Cost and profit are shown only when the trader's complete activity is known. */
function presentAmounts(row: ValuedPositionRow): Partial<PositionData> {
  const { shares_micro: shares, cost_micro: cost, value_micro: value } = row;
  const isActivityComplete = row.reconciled_at !== null;
  const sharesAndValue = {
    shares: exact(
      formatMicro(shares),
      "shares",
      6,
      isActivityComplete ? "all recorded activity" : "recorded fills; earlier holdings are not known",
    ),
    current_value_usd: exactUsd(value, "shares at the outcome's current price, rounded to the millionth"),
  };
  if (!isActivityComplete) return { exact: sharesAndValue };
  const realized = row.unmatched_shares_micro === 0n ? row.realized_micro - row.fees_micro : null;
  const averageTimesTenBillion = divideRounded(cost * 10_000_000_000n, shares);
  return {
    avg_price: presentMicro((cost * 1_000_000n) / shares, 4),
    initial_value_usd: presentUsd(cost),
    cash_pnl: presentUsd(value - cost),
    ...(realized === null ? {} : { realized_pnl: presentUsd(realized) }),
    exact: {
      ...sharesAndValue,
      cost_basis_usd: exactUsd(cost, "average cost over all recorded activity"),
      avg_price: exact(
        formatTenDecimals(averageTimesTenBillion),
        "USD/share",
        10,
        "cost basis over shares, rounded to ten decimals",
      ),
      initial_value_usd: exactUsd(cost, "the cost basis"),
      cash_pnl: exactUsd(value - cost, "current value less cost basis"),
      ...(realized === null
        ? {}
        : { realized_pnl: exactUsd(realized, "average cost over all recorded activity, known fees off") }),
    },
  };
}

/** Formats a value in units of 1e-10 as a plain decimal: `0.4820000000`. Costs are never negative. */
function formatTenDecimals(value: bigint): string {
  const digits = String(value).padStart(11, "0");
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`;
}

function presentTrader(row: PositionRow, now: Date): PositionData["trader"] {
  const { figures } = row;
  const ageMs = Math.max(0, now.getTime() - Date.parse(row.first_recorded_at));
  return {
    id: formatId("trader", row.trader_id),
    address: row.address,
    ...(row.username === null ? {} : { username: row.username }),
    ...(row.grade === null ? {} : { grade: row.grade }),
    ...(figures?.won == null || !figures.decided ? {} : { win_rate: presentPercent(figures.won, figures.decided) }),
    ...(figures?.net_micro == null ? {} : { pnl: presentUsd(figures.net_micro) }),
    ...(figures?.markets == null ? {} : { markets: figures.markets }),
    completeness: presentRankedCompleteness(figures),
    ...(row.reconciled_at === null ? {} : { wallet_age_days: Math.floor(ageMs / DAY_MS) }),
    is_new_wallet: ageMs <= NEW_TRADER_DAYS * DAY_MS,
  };
}
