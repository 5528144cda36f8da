import type { Outcome, RangeEntry } from "./read-range.ts";
import { FIGURES_TABLES, type FiguresTable } from "../../recompute/figures.ts";
import { foldTrader, type Receipts } from "../../recompute/fold-trader.ts";

export interface FoldedRange {
  /** Realized amounts of staged fills by their row, as CSV lines; a fill without a line realized nothing. */
  readonly realized: readonly string[];
  /** Recorded entries whose realized amount changes because of fills before them. */
  readonly changed: readonly { id: string; realizedMicro: bigint | null }[];
  /** The rows of each table of figures, as CSV lines that begin with the trader. */
  readonly figures: Readonly<Record<FiguresTable, readonly string[]>>;
  /** Settled markets with staged fills: their bets are scored again. */
  readonly settledMarkets: ReadonlySet<string>;
}

/**
 * Computes the figures of traders from all their entries, with the fold that `npm run recompute` checks ingest with.
 */
export function foldRange(
  traders: ReadonlyMap<string, readonly RangeEntry[]>,
  receipts: ReadonlyMap<string, readonly Receipts[]>,
  outcomes: ReadonlyMap<string, Outcome>,
): FoldedRange {
  const realized: string[] = [];
  const changed: { id: string; realizedMicro: bigint | null }[] = [];
  const figures: Record<FiguresTable, string[]> = { positions: [], trader_totals: [], trader_days: [] };
  const settledMarkets = new Set<string>();
  for (const [traderId, entries] of traders) {
    const folded = foldTrader({ traderId, entries, receipts: receipts.get(traderId) ?? [] }, outcomes);
    for (const { entry, realizedMicro } of folded.changedRealized) {
      // `foldTrader` returns the entries that it was given.
      if ((entry as RangeEntry).isStaged) realized.push(`${entry.id},${realizedMicro ?? ""}`);
      else changed.push({ id: entry.id, realizedMicro });
    }
    for (const table of FIGURES_TABLES)
      // A row's text is `(1,2,,4)`.
      for (const row of folded.figures[table].values()) figures[table].push(`${traderId},${row.slice(1, -1)}`);
    for (const { isStaged, outcomeId } of entries) {
      const outcome = outcomes.get(outcomeId);
      if (isStaged && outcome?.hasPayouts === true) settledMarkets.add(outcome.marketId);
    }
  }
  return { realized, changed, figures, settledMarkets };
}
