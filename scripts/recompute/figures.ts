/** The figures of one row by column, written as text; null is SQL's. Times are ISO 8601 with milliseconds, days YYYY-MM-DD. */
export type Figures = Readonly<Record<string, string | null>>;

/** Rows by key: what tells a row from the wallet's others in its table (an outcome, a day), empty where there is one. */
export type Rows = ReadonlyMap<string, Figures>;

/** The tables kept by differences, as far as they belong to one wallet. */
export interface WalletFigures {
  readonly positions: Rows;
  readonly trader_totals: Rows;
  readonly trader_days: Rows;
}

export type FiguresTable = keyof WalletFigures;

export const FIGURES_TABLES: readonly FiguresTable[] = ["positions", "trader_totals", "trader_days"];

export interface Difference {
  readonly table: FiguresTable | "ledger_entries" | "markets";
  readonly key: string;
  /** A column, or `row` when the row itself is on one side alone. */
  readonly field: string;
  readonly stored: string | null;
  readonly computed: string | null;
}
