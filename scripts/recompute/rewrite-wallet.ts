import type pg from "pg";
import { writeRealized } from "../../src/ingest/ledger/write-ledger.ts";
import { differingKeys } from "./compare-wallet.ts";
import { FIGURES_TABLES, rowFields, type WalletFigures } from "./figures.ts";
import type { FoldedWallet } from "./fold-wallet.ts";

const KEYS = { positions: "outcome_id", trader_totals: "''", trader_days: "day" } as const;

/** Puts what a wallet's entries add up to in place of what is stored, in the caller's transaction, which holds the ledger lock. */
export async function rewriteWallet(
  client: pg.ClientBase,
  traderId: string,
  stored: WalletFigures,
  { figures, changedRealized }: FoldedWallet,
): Promise<void> {
  await writeRealized(
    client,
    changedRealized.map(({ entry, realizedMicro }) => ({ id: entry.id, realizedMicro })),
  );
  for (const table of FIGURES_TABLES) {
    const keys = differingKeys(table, stored, figures);
    if (keys.length === 0) continue;
    await client.query(`delete from ${table} where trader_id = $1 and ${KEYS[table]}::text = any($2::text[])`, [traderId, keys]);
    const texts = keys.flatMap((key) => figures[table].get(key) ?? []);
    const rows = texts.map((text) => ({ trader_id: traderId, ...rowFields(table, text) }));
    await client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [JSON.stringify(rows)]);
  }
}
