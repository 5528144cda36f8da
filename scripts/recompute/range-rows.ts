import { sql, type SQL } from "drizzle-orm";
import { ledgerEntries } from "../../src/db/schema.ts";
import type { Client } from "../services/postgres/session-over-tcp.ts";
import { CopiedRows } from "./copied-rows.ts";
import { copyInSnapshot } from "./copy-batch.ts";
import { COLUMNS, TABLES, type FiguresTable } from "./figures.ts";
import { isWithin, selectOutcomes, selectReceipts, type SelectedForms, type TraderRange } from "./read-traders.ts";

const BINARY: SelectedForms = { id: (column) => sql`${column}`, instant: (value) => value };

/** The rows of a range of traders in one snapshot. Their memory is used again by the next `read`. */
export class RangeRows {
  /** By trader. */
  readonly entries = new CopiedRows();
  /** By outcome. */
  readonly outcomes = new CopiedRows();
  /** By trader. */
  readonly receipts = new CopiedRows();
  /** By trader, in the order of COLUMNS. */
  readonly stored: Readonly<Record<FiguresTable, CopiedRows>> = {
    positions: new CopiedRows(),
    trader_totals: new CopiedRows(),
    trader_days: new CopiedRows(),
  };

  async read(client: Client, range: TraderRange): Promise<void> {
    const queries = [
      { select: selectEntries(range), to: this.entries },
      { select: selectOutcomes(range, BINARY), to: this.outcomes },
      { select: selectReceipts(range, BINARY), to: this.receipts },
      { select: selectStored("positions", range), to: this.stored.positions },
      { select: selectStored("trader_totals", range), to: this.stored.trader_totals },
      { select: selectStored("trader_days", range), to: this.stored.trader_days },
    ];
    for (const { to } of queries) to.clear();
    await copyInSnapshot(client, queries);
  }
}

function selectEntries(range: TraderRange): SQL {
  const { traderId, outcomeId, kind, txHash, sharesMicro, ordinal, usdMicro, feeMicro, realizedMicro, tradedAt } =
    ledgerEntries;
  return sql`select ${traderId}, ${outcomeId}, ${kind}, ${txHash}, ${sharesMicro}, ${ordinal}, ${usdMicro}, ${feeMicro},
      ${realizedMicro}, ${tradedAt}
    from ${ledgerEntries} where ${isWithin(traderId, range)}`;
}

function selectStored(name: FiguresTable, range: TraderRange): SQL {
  const { table, traderId } = TABLES[name];
  const columns = COLUMNS[name].map((column) => sql.identifier(column));
  return sql`select ${traderId}, ${sql.join(columns, sql`, `)} from ${table} where ${isWithin(traderId, range)}`;
}
