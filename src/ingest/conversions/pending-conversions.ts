import type { Session } from "../../db/client.ts";
import { toBytea } from "../ledger/entry.ts";
import type { ConversionRow } from "./read-conversion.ts";

/** The gap of a wallet that has conversions which are not booked. */
export const CONVERSION_GAP = "conversion";

const hashesOf = (txHashes: readonly string[] | null) => txHashes?.map(toBytea) ?? null;

/**
 * Whether a wallet has conversions that are not booked: each row of a booked one has its own `convert_out` entry, so a transaction with
 * another number of them is not. That finds a row, too, that lands after its transaction was booked, which then was read wrongly.
 *
 * @param txHashes of the transactions to look at; null for all
 */
export async function hasPendingConversions(session: Session, traderId: number, txHashes: readonly string[] | null): Promise<boolean> {
  const { rows } = await session.query<{ pending: boolean }>(
    `select exists (
       select from (
         select tx_hash, count(*) as reported from wallet_activity
         where trader_id = $1 and type = 'CONVERSION' and ($2::bytea[] is null or tx_hash = any($2)) group by tx_hash
       ) a
       where a.reported <> (
         select count(*) from ledger_entries e where e.tx_hash = a.tx_hash and e.trader_id = $1 and e.kind = 'convert_out')
     ) as pending`,
    [traderId, hashesOf(txHashes)],
  );
  return rows[0]?.pending ?? false;
}

/** The rows of a wallet's conversions of which nothing is booked, by transaction. @param txHashes as above */
export async function listPendingConversions(
  session: Session,
  traderId: number,
  txHashes: readonly string[] | null,
): Promise<ReadonlyMap<string, readonly ConversionRow[]>> {
  const { rows } = await session.query<{
    tx: string;
    condition_id: string;
    token_id: string;
    shares_micro: string;
    usd_micro: string;
    happened_ms: number;
  }>(
    `select '0x' || encode(a.tx_hash, 'hex') as tx, a.condition_id, a.token_id, a.shares_micro, a.usd_micro,
       (extract(epoch from a.happened_at) * 1000)::float8 as happened_ms
     from wallet_activity a
     where a.trader_id = $1 and a.type = 'CONVERSION' and ($2::bytea[] is null or a.tx_hash = any($2))
       and not exists (select from ledger_entries e where e.tx_hash = a.tx_hash and e.trader_id = $1 and e.kind = 'convert_out')
     order by a.tx_hash`,
    [traderId, hashesOf(txHashes)],
  );
  const toRow = (row: (typeof rows)[number]): ConversionRow => ({
    conditionId: row.condition_id,
    tokenId: row.token_id,
    sharesMicro: BigInt(row.shares_micro),
    usdMicro: BigInt(row.usd_micro),
    happenedAtMs: row.happened_ms,
  });
  return new Map([...Map.groupBy(rows, (row) => row.tx)].map(([tx, ofTx]) => [tx, ofTx.map(toRow)]));
}
