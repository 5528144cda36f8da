import { sql } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { numberOfExchange } from "../../db/fragments/exchange-family.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { fillLogs } from "../../db/schema.ts";
import { columnName, columnNames, run } from "../../db/sql.ts";
import { pairFills } from "./compare-fills.ts";
import { listLedgerFills } from "./ledger-fills.ts";
import type { RecordableFill } from "./record-fills.ts";

const { entryId, blockNumber, logIndex, ordersMatchedLogIndex, exchange } = fillLogs;

/**
 * Stores the log of each fill that the ledger has, whichever source recorded it. A log that is stored is replaced by
 * another one. An unknown `OrdersMatched` event does not replace a known one of the same log.
 *
 * @param fills in the order of the chain; of a transaction, all fills in a token
 */
export async function recordFillLogs(session: Session, fills: readonly RecordableFill[]): Promise<void> {
  const ledger = await listLedgerFills(session, [...new Set(fills.map(({ txHash }) => txHash))], null);
  const pairs = pairFills(fills, ledger);
  if (pairs.length === 0) return;
  const rows = recordset("t", pairs, {
    entry_id: ["bigint", ([, entry]) => entry.entryId],
    block_number: ["int", ([fill]) => fill.blockNumber],
    log_index: ["int", ([fill]) => fill.logIndex],
    ...ordersMatchedColumns<(typeof pairs)[number]>(([fill]) => fill),
  });
  await run(
    session,
    sql`insert into ${fillLogs} (${columnNames(entryId, blockNumber, logIndex, ordersMatchedLogIndex, exchange)})
     select entry_id, block_number, log_index, orders_matched_log_index, exchange from ${rows}
     on conflict (${columnName(entryId)}) do update set
       ${columnName(blockNumber)} = excluded.block_number, ${columnName(logIndex)} = excluded.log_index,
       ${columnName(ordersMatchedLogIndex)} = excluded.orders_matched_log_index, ${columnName(exchange)} = excluded.exchange
     where (${blockNumber}, ${logIndex}) <> (excluded.block_number, excluded.log_index)
       or excluded.orders_matched_log_index is not null
         and (${ordersMatchedLogIndex}, ${exchange}) is distinct from (excluded.orders_matched_log_index, excluded.exchange)`,
  );
}

/** The columns of both tables that have the `OrdersMatched` event of a fill. */
export const ordersMatchedColumns = <Row>(fillOf: (row: Row) => RecordableFill) =>
  ({
    orders_matched_log_index: ["int", (row: Row) => fillOf(row).ordersMatched?.logIndex ?? null],
    exchange: [
      "int",
      (row: Row) => {
        const { ordersMatched } = fillOf(row);
        return ordersMatched === null ? null : numberOfExchange(ordersMatched.exchange);
      },
    ],
  }) as const;
