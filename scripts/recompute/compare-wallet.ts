import { COLUMNS, FIGURES_TABLES, rowFields, type Difference, type FiguresTable, type WalletFigures } from "./figures.ts";
import type { FoldedWallet } from "./fold-wallet.ts";

/** Where what is stored of a wallet is not what its entries add up to. */
export function compareWallet(traderId: string, stored: WalletFigures, { figures, changedRealized }: FoldedWallet): Difference[] {
  const entries = changedRealized.map(({ entry, realizedMicro }) => ({
    table: "ledger_entries" as const,
    key: `id ${entry.id}`,
    field: "realized_micro",
    stored: entry.realizedMicro?.toString() ?? null,
    computed: realizedMicro?.toString() ?? null,
  }));
  return [...entries, ...FIGURES_TABLES.flatMap((table) => compareTable(traderId, table, stored, figures))];
}

/** The keys of a table's rows in which the two sides are not the same. */
export function differingKeys(table: FiguresTable, stored: WalletFigures, computed: WalletFigures): string[] {
  const missing = [...stored[table].keys()].filter((key) => !computed[table].has(key));
  const changed = [...computed[table]].filter(([key, text]) => stored[table].get(key) !== text);
  return [...missing, ...changed.map(([key]) => key)];
}

const NAMES: Readonly<Record<FiguresTable, string>> = { positions: " outcome_id ", trader_totals: "", trader_days: " day " };

function compareTable(traderId: string, table: FiguresTable, stored: WalletFigures, computed: WalletFigures): Difference[] {
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

function compareRows(table: FiguresTable, a: string, b: string): Pick<Difference, "field" | "stored" | "computed">[] {
  const [stored, computed] = [rowFields(table, a), rowFields(table, b)];
  return COLUMNS[table]
    .map((field) => ({ field, stored: stored[field] ?? null, computed: computed[field] ?? null }))
    .filter((one) => one.stored !== one.computed);
}
