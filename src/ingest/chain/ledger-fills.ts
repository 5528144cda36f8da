import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, m, o } from "../../src/db/aliases.ts";
import type { Session } from "../../src/db/client.ts";
import { traders } from "../../src/db/schema.ts";
import { array, bigintText, epochMs, selectRows } from "../../src/db/sql.ts";
import { toBytea } from "../../src/ingest/ledger/ledger-entry.ts";
import type { LedgerFill } from "./compare-fills.ts";

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
});

/** Fills of these transactions, and all fills of these seconds (both included). */
export async function listLedgerFills(
  session: Session,
  txHashes: readonly string[],
  firstSecond: number,
  lastSecond: number,
): Promise<LedgerFill[]> {
  const isFill = sql`${e.kind} in ('buy', 'sell')`;
  const rows = await selectRows(
    session,
    sql`with found as (
       select ${e.id} from ${e} where ${e.txHash} = any(${array(txHashes.map(toBytea), "bytea")}) and ${isFill}
       union
       -- No index is on the time alone. One lookup for each market, not a scan of the table.
       select e.id from ${m} cross join lateral (
         select ${e.id} from ${e}
         where ${e.marketId} = ${m.id} and ${isFill}
           and ${e.tradedAt} >= to_timestamp(${firstSecond}::bigint) and ${e.tradedAt} < to_timestamp(${lastSecond}::bigint + 1)
         offset 0
       ) e
     )
     select ${e.id}::text as id, '0x' || encode(${e.txHash}, 'hex') as tx_hash, ${traders.address}, ${o.tokenId}, ${e.kind},
       ${e.sharesMicro}::text as shares_micro, ${e.usdMicro}::text as usd_micro, ${e.feeMicro}::text as fee_micro, ${e.role},
       ${epochMs(e.tradedAt)} as traded_ms
     from found join ${e} using (id)
     join ${traders} on ${traders.id} = ${e.traderId}
     join ${o} on ${o.id} = ${e.outcomeId}`,
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
  }));
}
