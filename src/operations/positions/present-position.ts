import type { z } from "zod";
import { holdingFreshness, type HoldingFreshness } from "../../domain/holding-freshness.ts";
import { formatId, formatPositionId } from "../../domain/ids.ts";
import { formatMicro, presentMicro, presentUsd } from "../../domain/money.ts";
import { NEW_WALLET_DAYS } from "../../domain/wallet-badges.ts";
import type { PositionRow } from "../../queries/positions/rows.ts";
import { divideRounded } from "../../scoring/divide-rounded.ts";
import { presentFiguresCompleteness } from "../trust.ts";
import type { ValuedRow } from "./position-place.ts";
import type { Position } from "./schemas.ts";

type PositionData = z.input<typeof Position>;

const DAY_MS = 86_400_000;

/** @param now the moment the row is of: ages and freshness are as of then */
export function presentPosition(row: ValuedRow, now: Date): PositionData {
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
 * When the position was last known to be what it is: at the last reading of the wallet's whole activity, or at the newest fill, which is applied as
 * it comes. Null while the whole activity is not known.
 */
export function reconciledAtOf({ reconciled_at: readAt, last_at: lastAt }: PositionRow): string | null {
  // Both are ISO texts in UTC with milliseconds.
  return readAt !== null && lastAt > readAt ? lastAt : readAt;
}

/** What it is worth is not known to be so while the result is awaited, however well its shares are known. */
function freshnessOf(row: PositionRow, now: Date): PositionData["freshness"] {
  const freshness = holdingFreshnessOf(row, now);
  return row.phase === "open" || freshness === "unknown" ? freshness : "stale";
}

/** Of the shares alone. */
export function holdingFreshnessOf(row: PositionRow, now: Date): HoldingFreshness {
  const reconciledAt = reconciledAtOf(row);
  return holdingFreshness(reconciledAt === null ? null : new Date(reconciledAt), row.tier, now);
}

const exact = (value: string, unit: string, scale: number, basis: string) => ({ value, unit, scale, basis });
const exactUsd = (micro: bigint, basis: string) => exact(formatMicro(micro), "USD", 6, basis);

/** What the shares cost and made is known only where all that ever moved them is. */
function presentAmounts(row: ValuedRow): Partial<PositionData> {
  const { shares_micro: shares, cost_micro: cost, value_micro: value } = row;
  const isWhole = row.reconciled_at !== null;
  const held = {
    shares: exact(formatMicro(shares), "shares", 6, isWhole ? "all recorded activity" : "recorded fills; earlier holdings are not known"),
    current_value_usd: exactUsd(value, "shares at the outcome's current price, rounded to the millionth"),
  };
  if (!isWhole) return { exact: held };
  const realized = row.unmatched_shares_micro === 0n ? row.realized_micro - row.fees_micro : null;
  const averageTimesTenBillion = divideRounded(cost * 10_000_000_000n, shares);
  return {
    avg_price: presentMicro((cost * 1_000_000n) / shares, 4),
    initial_value_usd: presentUsd(cost),
    cash_pnl: presentUsd(value - cost),
    ...(realized === null ? {} : { realized_pnl: presentUsd(realized) }),
    exact: {
      ...held,
      cost_basis_usd: exactUsd(cost, "average cost over all recorded activity"),
      avg_price: exact(formatTenDecimals(averageTimesTenBillion), "USD/share", 10, "cost basis over shares, rounded to ten decimals"),
      initial_value_usd: exactUsd(cost, "the cost basis"),
      cash_pnl: exactUsd(value - cost, "current value less cost basis"),
      ...(realized === null ? {} : { realized_pnl: exactUsd(realized, "average cost over all recorded activity, known fees off") }),
    },
  };
}

/** Tens of billionths as a plain decimal: `0.4820000000`. Costs are never below zero. */
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
    ...(figures?.won == null || !figures.decided ? {} : { win_rate: Math.trunc((figures.won * 10_000) / figures.decided) / 100 }),
    ...(figures?.net_micro == null ? {} : { pnl: presentUsd(figures.net_micro) }),
    ...(figures?.markets == null ? {} : { markets: figures.markets }),
    completeness: presentFiguresCompleteness(figures),
    ...(row.reconciled_at === null ? {} : { wallet_age_days: Math.floor(ageMs / DAY_MS) }),
    is_new_wallet: ageMs <= NEW_WALLET_DAYS * DAY_MS,
  };
}
