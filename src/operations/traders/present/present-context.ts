import type { z } from "zod";
import { presentUsd } from "../../../domain/money.ts";
import { presentPercent, presentShare } from "../../../domain/present-share.ts";
import { RESULT_PENDING } from "../../../domain/traders/position-freshness.ts";
import { WITHHELD_REASONS } from "../../../domain/traders/trader-completeness.ts";
import type { TraderRow } from "../../../queries/traders/traders.ts";
import type { TraderContext } from "../schemas/context-schemas.ts";
import { TRADER_EXPANSIONS } from "./present-profile.ts";
import { presentTrader, presentUnknownTrader } from "./present-trader.ts";
import { realizedOf, unrealizedOf } from "./present-trader-pnl.ts";
import { withheldReason, excludedDetail } from "./history-trust.ts";

export type TraderContextData = z.input<typeof TraderContext>;

/**
 * A context has no `expand` parameter, so it shows every part except trust, which repeats `freshness_note`
 * in detail.
 */
const CONTEXT_EXPANSIONS = TRADER_EXPANSIONS.filter((name) => name !== "trust");

export function presentTraderContext(row: TraderRow, now: Date): TraderContextData {
  const summary = presentSummary(row);
  return {
    trader: presentTrader(row, CONTEXT_EXPANSIONS, now),
    ...(summary === null ? {} : { position_summary: summary }),
    data_as_of: summary?.as_of ?? row.synced_at,
    freshness_note: describeFreshness(row),
  };
}

/** The context of an address that is not in the database. */
export const presentUnknownContext = (address: string): TraderContextData => ({
  trader: presentUnknownTrader(address, []),
  data_as_of: null,
  freshness_note: `There is no data on this trader: ${WITHHELD_REASONS.untracked}. Omitted values are unknown, not zero.`,
});

function presentSummary(row: TraderRow): TraderContextData["position_summary"] | null {
  const realized = realizedOf(row);
  const unrealized = unrealizedOf(row);
  // The contract has no partial summary: it is omitted unless both sums are known.
  if (realized === null || unrealized === null) return null;
  const { markets_won: won, markets_decided: decided } = row;
  return {
    markets_total: null,
    markets_synced: row.markets_traded,
    markets_resolved: row.markets_resolved,
    markets_open: row.held_markets,
    sync_coverage: coverageOf(row),
    synced_realized_pnl: presentUsd(realized - row.held_realized_micro),
    total_realized_pnl: presentUsd(realized),
    unrealized_mtm: presentUsd(unrealized),
    cost_basis_locked: presentUsd(row.held_cost_micro),
    resolved_win_rate: decided === 0 ? null : presentPercent(won, decided),
    resolved_wins: won,
    resolved_decided: decided,
    as_of: row.synced_at,
  };
}

/**
 * Fraction of the trader's markets whose profit is known, with four decimals. A market can have two
 * positions with unmatched shares, so the value is a lower bound.
 */
function coverageOf({ markets_traded: traded, left_out: leftOut }: TraderRow): number {
  if (traded === 0) return 0;
  const knownMarkets = Math.max(0, traded - leftOut.combination_markets - leftOut.unmatched_positions);
  return presentShare(knownMarkets, traded);
}

function describeFreshness(row: TraderRow): string {
  const gap = withheldReason(row);
  if (gap !== null) return `Profit and trading figures are omitted: ${gap}. Omitted values are unknown, not zero.`;
  const leftOut = excludedDetail(row);
  const scope =
    leftOut === null
      ? `Trading figures are complete as of ${row.synced_at}.`
      : `Trading figures are partial as of ${row.synced_at}: ${leftOut}.`;
  if (row.held_value_micro !== null) return `${scope} ${describeValues(row)}`;
  return `${scope} Unrealized profit and the position summary are omitted: an open position has no price.`;
}

function describeValues({ valued_at: valuedAt, awaits_result: awaits }: TraderRow): string {
  const note = `Open positions are valued at current prices${valuedAt === null ? "" : ` as of ${valuedAt}`}`;
  return awaits === true ? `${note}; ${RESULT_PENDING}.` : `${note}.`;
}
