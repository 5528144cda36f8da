import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { exchangeFamily } from "../../db/fragments/exchange-family.ts";
import { fillLogs, traders } from "../../db/schema.ts";
import { array, bigintText, epochMs, integer, selectRows } from "../../db/sql.ts";
import { toBytea } from "../ledger/ledger-entry.ts";
import type { FillLog, LedgerFill } from "./compare-fills.ts";

const Row = z.object({
  id: z.string(),
  tx_hash: z.string(),
  address: z.string(),
  token_id: z.string(),
  kind: z.enum(["buy", "sell"]),
  shares_micro: bigintText,
  usd_micro: bigintText,
  fee_micro: bigintText.nullable(),
  role: z.string().nullable(),
  traded_ms: z.number(),
  block_number: integer.nullable(),
  log_index: integer.nullable(),
  orders_matched_log_index: integer.nullable(),
  exchange: exchangeFamily.nullable(),
});

/**
 * Fills of the transactions, in the order in which they were recorded.
 *
 * @param seconds all fills of these seconds as well, both included
 */
export async function listLedgerFills(
  session: Session,
  txHashes: readonly string[],
  seconds: { readonly first: number; readonly last: number } | null,
): Promise<LedgerFill[]> {
  const isFill = sql`${e.kind} in ('buy', 'sell')`;
  const rows = await selectRows(
    session,
    sql`with found as (
       select ${e.id} from ${e} where ${e.txHash} = any(${array(txHashes.map(toBytea), "bytea")}) and ${isFill}
       ${seconds === null ? sql`` : sql`union ${selectSeconds(isFill, seconds)}`}
     )
     select ${e.id}::text as id, '0x' || encode(${e.txHash}, 'hex') as tx_hash, ${traders.address}, ${o.tokenId}, ${e.kind},
       ${e.sharesMicro}::text as shares_micro, ${e.usdMicro}::text as usd_micro, ${e.feeMicro}::text as fee_micro, ${e.role},
       ${epochMs(e.tradedAt)} as traded_ms, ${fillLogs.blockNumber}, ${fillLogs.logIndex}, ${fillLogs.ordersMatchedLogIndex},
       ${fillLogs.exchange}
     from found join ${e} using (id)
     join ${traders} on ${traders.id} = ${e.traderId}
     join ${o} on ${o.id} = ${e.outcomeId}
     left join ${fillLogs} on ${fillLogs.entryId} = ${e.id}
     order by ${e.id}`,
    Row,
  );
  return rows.map((row) => ({
    entryId: row.id,
    txHash: row.tx_hash,
    address: row.address,
    tokenId: row.token_id,
    side: row.kind === "buy" ? "BUY" : "SELL",
    sharesMicro: row.shares_micro,
    usdMicro: row.usd_micro,
    feeMicro: row.fee_micro,
    isTaker: row.role === "taker",
    tradedAtMs: row.traded_ms,
    log: toFillLog(row),
  }));
}

function toFillLog(row: z.output<typeof Row>): FillLog | null {
  const { block_number: blockNumber, log_index: logIndex } = row;
  return blockNumber === null || logIndex === null
    ? null
    : { blockNumber, logIndex, ordersMatched: toOrdersMatched(row) };
}

/** From the columns of both tables that have the `OrdersMatched` event of a fill. */
export const toOrdersMatched = ({
  orders_matched_log_index: logIndex,
  exchange,
}: Pick<z.output<typeof Row>, "orders_matched_log_index" | "exchange">): FillLog["ordersMatched"] =>
  logIndex === null || exchange === null ? null : { logIndex, exchange };

/** No index is on the time alone: one lookup for each market, not a scan of the table. */
const selectSeconds = (isFill: SQL, { first, last }: { readonly first: number; readonly last: number }): SQL => sql`
  select e.id from ${m} cross join lateral (
    select ${e.id} from ${e}
    where ${e.marketId} = ${m.id} and ${isFill}
      and ${e.tradedAt} >= to_timestamp(${first}::bigint) and ${e.tradedAt} < to_timestamp(${last}::bigint + 1)
    offset 0
  ) e`;
