import { sql, type SQL } from "drizzle-orm";
import { positions, traderDays, traderTotals } from "../../src/db/schema.ts";
import { epochMs } from "../../src/db/sql.ts";

/** The incrementally maintained tables and their compared columns, in the order of a row's text. */
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
  trader_days: [
    "day",
    "realized_micro",
    "settled_micro",
    "fees_micro",
    "rebates_micro",
    "rewards_micro",
    "volume_micro",
    "entry_count",
  ],
} as const;

export type FiguresTable = keyof typeof COLUMNS;

export const FIGURES_TABLES: readonly FiguresTable[] = ["positions", "trader_totals", "trader_days"];

/**
 * Rows as text, by the key that identifies a row among the trader's rows of its table (an outcome, a day;
 * empty where there is only one). Two rows are equal when their texts are; only different rows are parsed.
 */
export type Rows = ReadonlyMap<string, string>;

/** The rows of one trader. */
export type TraderRows = Readonly<Record<FiguresTable, Rows>>;

/** A row's values in the order of COLUMNS. Times are milliseconds since 1970, days YYYY-MM-DD. */
export type RowValues = readonly (bigint | number | string | null)[];

/** A row's text in Postgres' composite format: `(1,2,,4)`, nothing for null. */
export const rowText = (values: RowValues): string => `(${values.join(",")})`;

/** Each table, and the column that identifies a row of a trader; null where a trader has one row. */
export const TABLES = {
  positions: { table: positions, traderId: positions.traderId, key: positions.outcomeId },
  trader_totals: { table: traderTotals, traderId: traderTotals.traderId, key: null },
  trader_days: { table: traderDays, traderId: traderDays.traderId, key: traderDays.day },
} as const;

/** SQL for the text of a row's key. */
export function keySql(table: FiguresTable): SQL {
  const { key } = TABLES[table];
  return key === null ? sql`''::text` : sql`${key}::text`;
}

/** SQL for the text of a table's row. */
export function rowTextSql(table: FiguresTable): SQL {
  const columns = COLUMNS[table].map((name) => {
    const column = sql`${sql.identifier(name)}`;
    return isMoment(name) ? epochMs(column) : column;
  });
  return sql`row(${sql.join(columns, sql`, `)})::text`;
}

/** A row's values by column, in a form that Postgres reads: times are ISO 8601. */
export function rowFields(table: FiguresTable, text: string): Record<string, string | null> {
  const values = text.slice(1, -1).split(",");
  return Object.fromEntries(COLUMNS[table].map((name, index) => [name, fieldText(name, values[index] ?? "")]));
}

function fieldText(name: string, value: string): string | null {
  if (value === "") return null;
  return isMoment(name) ? new Date(Number(value)).toISOString() : value;
}

const isMoment = (name: string): boolean => name === "first_at" || name === "last_at";

export interface StoredDifference {
  readonly table: FiguresTable | "ledger_entries" | "markets" | "combo_fills";
  readonly key: string;
  /** A column, or `row` when only one side has the row. */
  readonly field: string;
  readonly stored: string | null;
  readonly computed: string | null;
}
