import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { a, e } from "../../../db/aliases.ts";
import type { Session } from "../../../db/client.ts";
import { traderActivity } from "../../../db/schema.ts";
import { array, bigintText, epochMs, selectRow, selectRows, type Columns } from "../../../db/sql.ts";
import { toBytea } from "../../ledger/ledger-entry.ts";
import type { ConversionRow } from "./read-conversion.ts";

/** The gap of a trader with conversions that are not booked. */
export const CONVERSION_GAP = "conversion";

/** SQL condition: the row is of a conversion of the trader, in one of the transactions; null for all. */
const isConversionOf = (
  row: Columns<typeof traderActivity, "traderId" | "type" | "txHash">,
  traderId: number,
  txHashes: readonly string[] | null,
): SQL => {
  const isAmong = txHashes === null ? sql`true` : sql`${row.txHash} = any(${array(txHashes.map(toBytea), "bytea")})`;
  return sql`${row.traderId} = ${traderId} and ${row.type} = 'CONVERSION' and ${isAmong}`;
};

/**
 * Whether a trader has conversions that are not booked. Each row of a booked conversion has its own
 * `convert_out` entry, so a transaction with a different number of entries is not booked. This also finds a
 * row that arrives after its transaction was booked, from an incomplete set of rows.
 *
 * @param txHashes the transactions to check; null for all
 */
export async function hasPendingConversions(
  session: Session,
  traderId: number,
  txHashes: readonly string[] | null,
): Promise<boolean> {
  const row = await selectRow(
    session,
    sql`select exists (
       select from (
         select ${traderActivity.txHash}, count(*) as reported from ${traderActivity}
         where ${isConversionOf(traderActivity, traderId, txHashes)} group by ${traderActivity.txHash}
       ) a
       where a.reported <> (
         select count(*) from ${e} where ${e.txHash} = a.tx_hash and ${e.traderId} = ${traderId}
           and ${e.kind} = 'convert_out')
     ) as pending`,
    z.object({ pending: z.boolean() }),
  );
  return row?.pending ?? false;
}

const PendingRow = z.object({
  tx: z.string(),
  condition_id: z.string(),
  token_id: z.string(),
  shares_micro: bigintText,
  usd_micro: bigintText,
  happened_ms: z.number(),
});

/**
 * The rows of a trader's conversions that have no ledger entry, by transaction.
 * @param txHashes as in `hasPendingConversions`
 */
export async function listPendingConversions(
  session: Session,
  traderId: number,
  txHashes: readonly string[] | null,
): Promise<ReadonlyMap<string, readonly ConversionRow[]>> {
  const rows = await selectRows(
    session,
    sql`select '0x' || encode(${a.txHash}, 'hex') as tx, ${a.conditionId}, ${a.tokenId}, ${a.sharesMicro},
       ${a.usdMicro}, ${epochMs(a.happenedAt)} as happened_ms
     from ${a}
     where ${isConversionOf(a, traderId, txHashes)}
       and not exists (select from ${e} where ${e.txHash} = ${a.txHash} and ${e.traderId} = ${traderId}
         and ${e.kind} = 'convert_out')
     order by ${a.txHash}`,
    PendingRow,
  );
  const toRow = (row: (typeof rows)[number]): ConversionRow => ({
    conditionId: row.condition_id,
    tokenId: row.token_id,
    sharesMicro: row.shares_micro,
    usdMicro: row.usd_micro,
    happenedAtMs: row.happened_ms,
  });
  return new Map([...Map.groupBy(rows, (row) => row.tx)].map(([tx, ofTx]) => [tx, ofTx.map(toRow)]));
}
