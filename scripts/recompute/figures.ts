/** The tables kept by differences, and the columns that are held against a fold, in the order of a row's text. */
export const COLUMNS = {
  positions: [
    "outcome_id",
    "market_id",
    "shares_micro",
    "cost_micro",
    "realized_micro",
    "settled_micro",
    "bought_shares_micro",
    "bought_usd_micro",
    "sold_shares_micro",
    "sold_usd_micro",
    "fees_micro",
    "unmatched_shares_micro",
    "unmatched_usd_micro",
    "entry_count",
    "first_at",
    "last_at",
  ],
  trader_totals: [
    "realized_micro",
    "settled_micro",
    "fees_micro",
    "rebates_micro",
    "rewards_micro",
    "volume_micro",
    "entry_count",
    "first_at",
    "last_at",
    "markets_traded",
    "markets_resolved",
    "markets_won",
    "markets_decided",
    "unmatched_positions",
    "unmatched_usd_micro",
    "combination_markets",
    "combination_volume_micro",
  ],
  trader_days: ["day", "realized_micro", "settled_micro", "fees_micro", "rebates_micro", "rewards_micro", "volume_micro", "entry_count"],
} as const;

export type FiguresTable = keyof typeof COLUMNS;

export const FIGURES_TABLES: readonly FiguresTable[] = ["positions", "trader_totals", "trader_days"];

/**
 * Rows as one text each, by key: what tells a row from the wallet's others in its table (an outcome, a day), empty where there is one. Two rows
 * are the same when their texts are; only those that differ are taken apart.
 */
export type Rows = ReadonlyMap<string, string>;

/** The rows that belong to one wallet. */
export type WalletFigures = Readonly<Record<FiguresTable, Rows>>;

/** A row's text as Postgres writes a composite value: `(1,2,,4)`, nothing for null. Moments are milliseconds since 1970, days YYYY-MM-DD. */
export const rowText = (values: readonly (bigint | number | string | null)[]): string => `(${values.join(",")})`;

/** SQL that gives the text of a table's row. */
export function rowTextSql(table: FiguresTable): string {
  const columns = COLUMNS[table].map((name) => (isMoment(name) ? `(extract(epoch from ${name}) * 1000)::float8` : name));
  return `row(${columns.join(", ")})::text`;
}

/** A row's values by column, as Postgres reads them: moments are ISO 8601. */
export function rowFields(table: FiguresTable, text: string): Record<string, string | null> {
  const values = text.slice(1, -1).split(",");
  return Object.fromEntries(COLUMNS[table].map((name, index) => [name, fieldText(name, values[index] ?? "")]));
}

function fieldText(name: string, value: string): string | null {
  if (value === "") return null;
  return isMoment(name) ? new Date(Number(value)).toISOString() : value;
}

const isMoment = (name: string): boolean => name === "first_at" || name === "last_at";

export interface Difference {
  readonly table: FiguresTable | "ledger_entries" | "markets";
  readonly key: string;
  /** A column, or `row` when the row itself is on one side alone. */
  readonly field: string;
  readonly stored: string | null;
  readonly computed: string | null;
}
