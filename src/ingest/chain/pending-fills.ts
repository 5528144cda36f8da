import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { exchangeFamily } from "../../db/fragments/exchange-family.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { chainPendingFills, outcomes } from "../../db/schema.ts";
import { array, bigintText, columnName, columnNames, epochMs, integer, run, selectRows } from "../../db/sql.ts";
import { toBytea } from "../ledger/ledger-entry.ts";
import { describeTokens, type TokenProvider } from "./describe-tokens.ts";
import { toOrdersMatched } from "./ledger-fills.ts";
import { ordersMatchedColumns, recordFillLogs } from "./record-fill-logs.ts";
import { recordFills, type RecordableFill, type RecordFillsSettings } from "./record-fills.ts";

const { blockNumber, logIndex, txHash, tokenId, address, isTaker, side } = chainPendingFills;
const { sharesMicro, usdMicro, feeMicro, tradedAt, askedAt, ordersMatchedLogIndex, exchange } = chainPendingFills;

/** Stores fills until their market is known. A fill that is stored is left unchanged. */
export async function storePendingFills(session: Session, fills: readonly RecordableFill[]): Promise<void> {
  if (fills.length === 0) return;
  const rows = recordset("t", fills, {
    block_number: ["bigint", (fill) => fill.blockNumber],
    log_index: ["int", (fill) => fill.logIndex],
    tx_hash: ["bytea", (fill) => toBytea(fill.txHash)],
    token_id: ["text", (fill) => fill.tokenId],
    address: ["text", (fill) => fill.trader],
    is_taker: ["boolean", (fill) => fill.isTaker],
    side: ["text", (fill) => fill.side],
    shares_micro: ["bigint", (fill) => String(fill.sharesMicro)],
    usd_micro: ["bigint", (fill) => String(fill.usdMicro)],
    fee_micro: ["bigint", (fill) => (fill.feeMicro === null ? null : String(fill.feeMicro))],
    traded_ms: ["float8", (fill) => fill.tradedAtMs],
    ...ordersMatchedColumns<RecordableFill>((fill) => fill),
  });
  await run(
    session,
    sql`insert into ${chainPendingFills} (${columnNames(blockNumber, logIndex, txHash, tokenId, address, isTaker)},
       ${columnNames(side, sharesMicro, usdMicro, feeMicro, tradedAt, ordersMatchedLogIndex, exchange)})
     select block_number, log_index, tx_hash, token_id, address, is_taker, side, shares_micro, usd_micro, fee_micro,
       to_timestamp(traded_ms / 1000), orders_matched_log_index, exchange
     from ${rows} on conflict do nothing`,
  );
}

/** Tokens that the provider is asked for in one run, and transactions that are recorded in it. */
const TOKENS_AT_ONCE = 50;
const TRANSACTIONS_AT_ONCE = 200;

/**
 * Asks the provider for the markets of the pending fills that it was asked for longest ago, then records pending fills
 * whose market is known by now, from any source.
 *
 * @returns how many fills were new
 * @throws ProviderUnavailable
 */
export async function recordPendingFills(
  pool: Pool,
  provider: TokenProvider,
  settings: Omit<RecordFillsSettings, "provider">,
): Promise<number> {
  const added = await recordKnown(pool, settings);
  const tokenIds = await claimTokens(sessionOf(pool));
  if (tokenIds.length === 0) return added;
  await describeTokens(pool, provider, tokenIds, () => new Date(settings.now()));
  return added + (await recordKnown(pool, settings));
}

/**
 * Marked before the provider is asked, so that tokens it does not know do not displace the others. Each waits a minute
 * between two requests, so that a provider that is away does not delay every run.
 */
async function claimTokens(session: Session): Promise<string[]> {
  const rows = await selectRows(
    session,
    sql`with asked as (
       select ${tokenId} from ${chainPendingFills} group by 1
       having min(${askedAt}) < now() - interval '1 minute' order by min(${askedAt}), 1 limit ${TOKENS_AT_ONCE}
     )
     update ${chainPendingFills} set ${columnName(askedAt)} = now() from asked
     where ${tokenId} = asked.token_id returning ${tokenId}`,
    z.object({ token_id: z.string() }),
  );
  return [...new Set(rows.map((row) => row.token_id))].toSorted();
}

async function recordKnown(pool: Pool, settings: Omit<RecordFillsSettings, "provider">): Promise<number> {
  const fills = await listKnown(sessionOf(pool));
  if (fills.length === 0) return 0;
  const { added } = await recordFills(pool, fills, { ...settings, provider: null });
  await inTransaction(pool, async (session) => {
    await recordFillLogs(session, fills);
    await run(
      session,
      sql`delete from ${chainPendingFills} where (${blockNumber}, ${logIndex}) in (
        select * from unnest(${array(
          fills.map((fill) => fill.blockNumber),
          "bigint",
        )}, ${array(
          fills.map((fill) => fill.logIndex),
          "int",
        )}))`,
    );
  });
  return added;
}

const Row = z.object({
  block_number: integer,
  log_index: integer,
  tx_hash: z.string(),
  token_id: z.string(),
  address: z.string(),
  is_taker: z.boolean(),
  side: z.enum(["BUY", "SELL"]),
  shares_micro: bigintText,
  usd_micro: bigintText,
  fee_micro: bigintText.nullable(),
  traded_ms: z.number(),
  orders_matched_log_index: integer.nullable(),
  exchange: exchangeFamily.nullable(),
});

/**
 * Pending fills of known markets in the order of the chain, all of a transaction in one token: equal fills are counted
 * from the first.
 */
async function listKnown(session: Session): Promise<RecordableFill[]> {
  const isKnown = sql`exists (select from ${outcomes} where ${outcomes.tokenId} = ${tokenId})`;
  const rows = await selectRows(
    session,
    sql`select ${blockNumber}, ${logIndex}, '0x' || encode(${txHash}, 'hex') as tx_hash, ${tokenId}, ${address}, ${isTaker},
       ${side}, ${sharesMicro}::text as shares_micro, ${usdMicro}::text as usd_micro, ${feeMicro}::text as fee_micro,
       ${epochMs(tradedAt)} as traded_ms, ${ordersMatchedLogIndex}, ${exchange}
     from ${chainPendingFills}
     where ${isKnown} and ${txHash} in (
       select ${txHash} from ${chainPendingFills} where ${isKnown} group by 1
       order by min(${blockNumber}), 1 limit ${TRANSACTIONS_AT_ONCE})
     order by ${blockNumber}, ${logIndex}`,
    Row,
  );
  return rows.map((row) => ({
    blockNumber: row.block_number,
    logIndex: row.log_index,
    txHash: row.tx_hash,
    tokenId: row.token_id,
    trader: row.address,
    isTaker: row.is_taker,
    side: row.side,
    sharesMicro: row.shares_micro,
    usdMicro: row.usd_micro,
    feeMicro: row.fee_micro,
    tradedAtMs: row.traded_ms,
    ordersMatched: toOrdersMatched(row),
  }));
}
