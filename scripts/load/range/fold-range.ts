import { COLUMNS, FIGURES_TABLES, type FiguresTable, type RowValues } from "../../recompute/figures.ts";
import { figuresOf, foldLedger, type Receipts } from "../../recompute/fold-trader.ts";
import { BinaryRows, type BinaryType } from "./binary-rows.ts";
import type { MergedTrader, RangeEntry } from "./merge-entries.ts";
import type { Outcome } from "./read-range.ts";
import type { StagedFill } from "./staged-ranges.ts";

export const LEDGER_COLUMNS = `tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, fee_micro, price,
  role, traded_at, realized_micro`;
const LEDGER_TYPES: readonly BinaryType[] = [
  "words",
  "int8",
  "int8",
  "int8",
  "text",
  "int8",
  "int2",
  "int8",
  "int8",
  "numeric",
  "text",
  "instant",
  "int8",
];

/** The columns that a table of figures is written with, in the order of `RowValues`. */
export const figuresColumns = (table: FiguresTable): string =>
  ["trader_id", ...COLUMNS[table], ...(table === "positions" ? ["value_micro"] : [])].join(", ");

const typeOf = (column: string): BinaryType =>
  column === "day"
    ? "day"
    : column === "first_at" || column === "last_at"
      ? "instant"
      : column.endsWith("_micro") || column.endsWith("_id")
        ? "int8"
        : "int4";

/**
 * Computes the figures of traders from all their entries, with the fold that `npm run recompute` checks ingest with, and
 * encodes the rows to write.
 */
export class RangeFold {
  readonly #outcomes: ReadonlyMap<string, Outcome>;
  readonly #ledger = new BinaryRows(LEDGER_TYPES);
  readonly #figures: Readonly<Record<FiguresTable, BinaryRows>>;
  /** Recorded entries whose realized amount changes because of fills before them. */
  readonly changed: { id: string; realizedMicro: bigint | null }[] = [];
  /** Settled markets with new fills: their bets are scored again. */
  readonly settledMarkets = new Set<string>();

  constructor(outcomes: ReadonlyMap<string, Outcome>) {
    this.#outcomes = outcomes;
    const rowsOf = (table: FiguresTable) => new BinaryRows(figuresColumns(table).split(", ").map(typeOf));
    this.#figures = {
      positions: rowsOf("positions"),
      trader_totals: rowsOf("trader_totals"),
      trader_days: rowsOf("trader_days"),
    };
  }

  /** The new entries for COPY, while traders are folded one after the other. Postgres inserts the ones before meanwhile. */
  *ledger(
    traders: ReadonlyMap<string, MergedTrader>,
    receipts: ReadonlyMap<string, readonly Receipts[]>,
  ): Generator<Buffer> {
    for (const [traderId, trader] of traders) {
      this.#fold(traderId, trader, receipts.get(traderId) ?? []);
      yield* this.#ledger.take();
    }
    yield* this.#ledger.end();
  }

  /** The rows of a table of figures for COPY, after `ledger` has ended. */
  figures(table: FiguresTable): Buffer[] {
    return this.#figures[table].end();
  }

  #fold(traderId: string, { fresh, recorded }: MergedTrader, receipts: readonly Receipts[]): void {
    const entries: RangeEntry[] = [...recorded, ...fresh];
    const folded = foldLedger({ traderId, entries, receipts }, this.#outcomes);
    for (const { entry, realizedMicro } of folded.changedRealized) {
      if (entry.isStaged) entry.realizedMicro = realizedMicro;
      else this.changed.push({ id: entry.id, realizedMicro });
    }
    const id = BigInt(traderId);
    const values = figuresOf(folded);
    for (const fill of fresh) this.#addFill(id, fill);
    for (const table of FIGURES_TABLES) {
      for (const [key, row] of values[table]) {
        const value = table === "positions" ? [this.#valueOf(key, row)] : [];
        this.#figures[table].add([id, ...row, ...value]);
      }
    }
  }

  #addFill(traderId: bigint, fill: StagedFill): void {
    if (this.#outcomes.get(fill.outcomeId)?.hasPayouts === true) this.settledMarkets.add(fill.marketId);
    this.#ledger.add([
      fill.txWords,
      traderId,
      fill.outcomeId,
      fill.marketId,
      fill.kind,
      fill.sharesMicro,
      fill.ordinal,
      fill.usdMicro,
      fill.feeMicro,
      fill.price,
      fill.role,
      fill.tradedAtMs,
      fill.realizedMicro,
    ]);
  }

  /** A position's value at the price of its outcome: the same as `positionValue` of src/ingest/ledger. */
  #valueOf(outcomeId: string, row: RowValues): bigint | null {
    const [shares, settled] = [row[SHARES], row[SETTLED]];
    if (typeof shares !== "bigint") throw new Error("a position has no shares");
    if (settled !== null) return null;
    if (shares === 0n) return 0n;
    const price = this.#outcomes.get(outcomeId)?.valuedPriceMicro ?? null;
    return price === null ? null : (shares * price + 500_000n) / 1_000_000n;
  }
}

const [SHARES, SETTLED] = [COLUMNS.positions.indexOf("shares_micro"), COLUMNS.positions.indexOf("settled_micro")];
