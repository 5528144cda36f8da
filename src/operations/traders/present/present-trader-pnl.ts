import type { z } from "zod";
import { RESULT_PENDING, VALUES_FRESH_MS } from "../../../domain/traders/position-freshness.ts";
import { formatMicro, presentUsd } from "../../../domain/money.ts";
import type { TraderRow } from "../../../queries/traders/traders.ts";
import { realizedPnl } from "../../../scoring/realized-pnl.ts";
import { missingTrust, providerTrust, type Trust } from "../../trust.ts";
import { presentCorrection, presentProviderPnl } from "./present-correction.ts";
import type { TRUSTED_VALUES, Trader } from "../schemas/schemas.ts";
import { withheldReason, profitTrust } from "./history-trust.ts";

/** The provider's figure of a tracked trader is read four times in this period. */
const BOARD_MAX_AGE_SECONDS = 86_400;

const OWNERS = {
  total_pnl: "provider_figures.all_time_pnl_usd",
  realized_pnl: "trader_totals.realized_micro",
  net_total_pnl: "trader_totals.realized_micro",
  unrealized_pnl: "positions.value_micro",
} as const;

const NO_PRICE = "an open position of the trader has no price";

/**
 * The trader's realized profit in micro-dollars.
 *
 * @returns null while the history in ordinary markets is not known
 */
export function realizedOf(row: TraderRow): bigint | null {
  if (withheldReason(row) !== null) return null;
  return realizedPnl({
    realizedMicro: row.realized_micro ?? 0n,
    settledMicro: row.settled_micro ?? 0n,
    feesMicro: row.fees_micro ?? 0n,
    rebatesMicro: row.rebates_micro ?? 0n,
  });
}

/**
 * Value minus cost of open positions in micro-dollars.
 *
 * @returns null while unknown, or when one of them has no price
 */
export function unrealizedOf(row: TraderRow): bigint | null {
  return withheldReason(row) === null && row.held_value_micro !== null
    ? row.held_value_micro - row.held_cost_micro
    : null;
}

/** The provider's figure, our figures, and the difference between both. Unknown values are omitted. */
export function presentTraderPnl(row: TraderRow): z.input<typeof Trader>["pnl"] {
  const total = presentProviderPnl(row.provider_figures);
  const correction = presentCorrection(row.provider_figures);
  const realized = realizedOf(row);
  const unrealized = unrealizedOf(row);
  return {
    ...(total === null ? {} : { total }),
    ...(correction === null ? {} : { correction }),
    ...(realized === null
      ? {}
      : {
          realized: presentUsd(realized),
          exact: { realized: exactUsd(realized, "average cost over all recorded activity in ordinary markets") },
        }),
    ...(unrealized === null ? {} : { unrealized: presentUsd(unrealized) }),
    ...(realized === null || unrealized === null ? {} : { net_total: presentUsd(realized + unrealized) }),
  };
}

export const exactUsd = (micro: bigint, basis: string) => ({ value: formatMicro(micro), unit: "USD", scale: 6, basis });

/** @returns null for values that are not profit figures */
export function pnlTrust(row: TraderRow, now: Date, name: (typeof TRUSTED_VALUES)[number]): Trust | null {
  switch (name) {
    case "total_pnl":
      return providerPnlTrust(row, now);
    case "realized_pnl":
      return profitTrust(row, OWNERS[name], now);
    case "unrealized_pnl":
    case "net_total_pnl":
      return withheldReason(row) === null && row.held_value_micro === null
        ? missingTrust(OWNERS[name], "unavailable", NO_PRICE)
        : valuedTrust(row, profitTrust(row, OWNERS[name], now), now);
    default:
      return null;
  }
}

/**
 * Trust of a figure with valued positions: its age is that of the last activity read or of the last
 * valuation run, whichever is older.
 */
function valuedTrust({ valued_at: valuedAt, awaits_result: awaits }: TraderRow, trust: Trust, now: Date): Trust {
  const { status, as_of: readAt } = trust.freshness;
  if (readAt === undefined) return trust;
  if (valuedAt === null) return { ...trust, freshness: { status: "unknown" } };
  // Both are ISO 8601 strings in UTC with milliseconds, so they compare as text.
  const asOf = valuedAt < readAt ? valuedAt : readAt;
  const isLate = now.getTime() - Date.parse(valuedAt) > VALUES_FRESH_MS;
  return {
    ...trust,
    freshness: { status: awaits === true || isLate ? "stale" : status, as_of: asOf },
    ...(awaits === true ? { reconciliation: { ...trust.reconciliation, detail: RESULT_PENDING } } : {}),
  };
}

function providerPnlTrust({ provider_figures: figures }: TraderRow, now: Date): Trust {
  const owner = OWNERS.total_pnl;
  if (figures === null || figures.board_as_of === null) {
    return missingTrust(owner, "not_computed", "the provider's figures of this trader have not been read");
  }
  if (figures.all_time_pnl === null)
    return missingTrust(owner, "unavailable", "the provider's all-time board does not rank this trader");
  return providerTrust(owner, figures.board_as_of, { maxAgeSeconds: BOARD_MAX_AGE_SECONDS, now });
}
