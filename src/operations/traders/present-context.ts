import type { z } from "zod";
import { presentUsd } from "../../domain/money.ts";
import { WITHHELD } from "../../domain/wallet-completeness.ts";
import type { TraderRow } from "../../queries/traders.ts";
import type { TraderContext } from "./context-schemas.ts";
import { EXPANSIONS } from "./present-profile.ts";
import { presentTrader, presentUnknownWallet } from "./present-trader.ts";
import { realizedOf, unrealizedOf } from "./present-trader-pnl.ts";
import { gapOf, leftOutOf } from "./trader-history.ts";

export type Context = z.input<typeof TraderContext>;

/** Whoever reads a context cannot ask for more; trust says the same as its note, at length. */
const SHOWN = EXPANSIONS.filter((name) => name !== "trust");

export function presentTraderContext(row: TraderRow, now: Date): Context {
  const summary = presentSummary(row);
  return {
    trader: presentTrader(row, SHOWN, now),
    ...(summary === null ? {} : { position_summary: summary }),
    data_as_of: summary?.as_of ?? row.synced_at,
    freshness_note: describeFreshness(row),
  };
}

/** Of a wallet nobody has seen. */
export const presentUnknownContext = (address: string): Context => ({
  trader: presentUnknownWallet(address, []),
  data_as_of: null,
  freshness_note: `Nothing is known of this wallet: ${WITHHELD.untracked}. What is left out is unknown, not zero.`,
});

function presentSummary(row: TraderRow): Context["position_summary"] | null {
  const realized = realizedOf(row);
  const unrealized = unrealizedOf(row);
  // The contract has no summary in parts: without one of its sums there is none.
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
    resolved_win_rate: decided === 0 ? null : Math.trunc((won * 10_000) / decided) / 100,
    resolved_wins: won,
    resolved_decided: decided,
    as_of: row.synced_at,
  };
}

/** Of its markets, those whose profit is known, to four decimals. A market may have two positions with unmatched shares: it is never too high. */
function coverageOf({ markets_traded: traded, left_out: left }: TraderRow): number {
  if (traded === 0) return 0;
  const known = Math.max(0, traded - left.combination_markets - left.unmatched_positions);
  return Math.trunc((known * 10_000) / traded) / 10_000;
}

function describeFreshness(row: TraderRow): string {
  const gap = gapOf(row);
  if (gap !== null) return `Figures of profit and trading are left out: ${gap}. What is left out is unknown, not zero.`;
  const leftOut = leftOutOf(row);
  const read =
    leftOut === null
      ? `Trading figures are complete as of ${row.synced_at}.`
      : `Trading figures are partial as of ${row.synced_at}: ${leftOut}.`;
  if (row.held_value_micro !== null) return `${read} ${describeValues(row)}`;
  return `${read} Unrealized profit and the summary of positions are left out: one of its holdings has no price.`;
}

function describeValues({ valued_at: valuedAt, awaits_result: awaits }: TraderRow): string {
  const valued = `Open holdings are valued at current prices${valuedAt === null ? "" : ` as of ${valuedAt}`}.`;
  return awaits === true
    ? `${valued} Some are of markets that are over and whose result is awaited: those are valued at the last trade.`
    : valued;
}
