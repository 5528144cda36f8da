import type { Pool } from "@neondatabase/serverless";
import type { GeneratedBlock } from "../providers/generated-chain.ts";
import { logIndexOf, ordersMatchedIndexOf } from "../providers/generated-node.ts";

/** The stored logs of fills in the order of the chain. */
export async function readFillLogs(pool: Pool) {
  const { rows } = await pool.query(
    `select '0x' || encode(e.tx_hash, 'hex') as tx, t.address, o.token_id as token, e.kind, e.shares_micro::text as shares,
       g.block_number as block, g.log_index as log, g.orders_matched_log_index as matched, g.exchange
     from fill_logs g join ledger_entries e on e.id = g.entry_id join traders t on t.id = e.trader_id
     join outcomes o on o.id = e.outcome_id order by g.block_number, g.log_index`,
  );
  return rows;
}

/** The numbers of the exchanges in the database. */
const EXCHANGE_NUMBERS: Readonly<Record<string, number>> = {
  "0xe111180000d2663c0091e4f400237545b87b996b": 2,
  "0xe2222d279d744050d28e00520010520000310f59": 3,
  "0xe3333700ca9d93003f00f0f71f8515005f6c00aa": 4,
};

/** The logs that a node sends for the blocks. */
export const fillLogsOf = (blocks: readonly GeneratedBlock[]) =>
  blocks.flatMap(({ number, fills }) =>
    fills.map((fill, index) => ({
      tx: fill.txHash,
      address: fill.trader,
      token: fill.tokenId,
      kind: fill.side === "BUY" ? "buy" : "sell",
      shares: String(fill.sharesMicro),
      block: number,
      log: logIndexOf(index),
      matched: ordersMatchedIndexOf(fills, index),
      exchange: EXCHANGE_NUMBERS[fill.exchange],
    })),
  );
