import { FIGURES_TABLES, type Difference, type Figures, type FiguresTable, type WalletFigures } from "./figures.ts";
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
  const keys = new Set([...stored[table].keys(), ...computed[table].keys()]);
  return [...keys].filter((key) => differingFields(stored[table].get(key), computed[table].get(key)).length > 0);
}

const NAMES: Readonly<Record<FiguresTable, string>> = { positions: " outcome_id ", trader_totals: "", trader_days: " day " };

function compareTable(traderId: string, table: FiguresTable, stored: WalletFigures, computed: WalletFigures): Difference[] {
  return differingKeys(table, stored, computed).flatMap((key) => {
    const [a, b] = [stored[table].get(key), computed[table].get(key)];
    const name = `trader_id ${traderId}${NAMES[table]}${key}`;
    return differingFields(a, b).map((field) => ({
      table,
      key: name,
      field,
      stored: field === "row" ? presence(a) : (a?.[field] ?? null),
      computed: field === "row" ? presence(b) : (b?.[field] ?? null),
    }));
  });
}

const presence = (row: Figures | undefined): string | null => (row === undefined ? null : "present");

function differingFields(a: Figures | undefined, b: Figures | undefined): string[] {
  if (a === undefined || b === undefined) return ["row"];
  return Object.keys(b).filter((field) => a[field] !== b[field]);
}
