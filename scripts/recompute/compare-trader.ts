import {
  COLUMNS,
  FIGURES_TABLES,
  rowFields,
  type StoredDifference,
  type FiguresTable,
  type TraderRows,
} from "./figures.ts";
import type { FoldedTrader } from "./fold-trader.ts";

/** The differences between a trader's stored figures and the fold of its entries. */
export function compareTraderRows(
  traderId: string,
  stored: TraderRows,
  { figures, changedRealized }: FoldedTrader,
): StoredDifference[] {
  const entries = changedRealized.map(({ entry, realizedMicro }) => ({
    table: "ledger_entries" as const,
    key: `id ${entry.id}`,
    field: "realized_micro",
    stored: entry.realizedMicro?.toString() ?? null,
    computed: realizedMicro?.toString() ?? null,
  }));
  return [...entries, ...FIGURES_TABLES.flatMap((table) => compareTable(traderId, table, stored, figures))];
}

/** The keys of a table's rows that differ or are missing on one side. */
export function differingKeys(table: FiguresTable, stored: TraderRows, computed: TraderRows): string[] {
  const missing = [...stored[table].keys()].filter((key) => !computed[table].has(key));
  const changed = [...computed[table]].filter(([key, text]) => stored[table].get(key) !== text);
  return [...missing, ...changed.map(([key]) => key)];
}

const NAMES: Readonly<Record<FiguresTable, string>> = {
  positions: " outcome_id ",
  trader_totals: "",
  trader_days: " day ",
};

function compareTable(
  traderId: string,
  table: FiguresTable,
  stored: TraderRows,
  computed: TraderRows,
): StoredDifference[] {
  return differingKeys(table, stored, computed).flatMap((key) => {
    const name = `trader_id ${traderId}${NAMES[table]}${key}`;
    const [a, b] = [stored[table].get(key), computed[table].get(key)];
    if (a === undefined || b === undefined) {
      return [{ table, key: name, field: "row", stored: presence(a), computed: presence(b) }];
    }
    return compareRows(table, a, b).map((fields) => ({ table, key: name, ...fields }));
  });
}

const presence = (row: string | undefined): string | null => (row === undefined ? null : "present");

function compareRows(
  table: FiguresTable,
  a: string,
  b: string,
): Pick<StoredDifference, "field" | "stored" | "computed">[] {
  const [stored, computed] = [rowFields(table, a), rowFields(table, b)];
  return COLUMNS[table]
    .map((field) => ({ field, stored: stored[field] ?? null, computed: computed[field] ?? null }))
    .filter((one) => one.stored !== one.computed);
}
