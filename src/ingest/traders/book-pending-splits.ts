import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { a, e, m } from "../../db/aliases.ts";
import { inTransaction, type Session } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { traderSyncs } from "../../db/schema.ts";
import { array, bigintText, columnName, epochMs, run, selectRows } from "../../db/sql.ts";
import { chunk } from "../../lib/chunk.ts";
import type { Provider } from "../../platform/provider.ts";
import { hydrateMarkets } from "../markets/hydrate-markets.ts";
import type { NumberedRow } from "../feeds/row-ordinals.ts";
import { lockLedger, recordLedgerEntries } from "../ledger/record-ledger-entries.ts";
import { listMovedOutcomes, splitAndMergeLegs, type SplitOrMerge } from "./split-merge-legs.ts";

/** The gaps of a trader with splits or merges that are not booked. */
export const SPLIT_GAPS: readonly string[] = ["split", "merge"];

/** Splits and merges booked in one transaction. */
const MOVES_AT_ONCE = 500;
/**
 * Markets read in one call. A trader with more keeps its gap until its next sync, and each minute selects
 * other markets.
 */
const MARKETS_AT_ONCE = 50;
const ROTATION_MS = 60_000;

/**
 * Books the splits and merges of a trader that were read before their market was known with its two outcomes,
 * and closes its gaps once none is pending. A new market is traded and split before the provider describes
 * it, and the provider does not report a row again. A second call changes nothing.
 */
export async function bookPendingSplits(
  pool: Pool,
  provider: Pick<Provider, "findMarkets">,
  traderId: number,
  now: () => Date,
): Promise<void> {
  const pending = await inTransaction(pool, (session) => listPending(session, traderId));
  const conditions = [...new Set(pending.flatMap(({ row }) => row.market?.conditionId ?? []))];
  await hydrateMarkets(pool, provider, rotate(conditions, now()), now);
  for (const moves of chunk(pending, MOVES_AT_ONCE)) {
    await inTransaction(pool, async (session) => {
      await lockLedger(session);
      const { entries } = splitAndMergeLegs(traderId, moves, await listMovedOutcomes(session, moves));
      await recordLedgerEntries(session, entries);
    });
  }
  await inTransaction(pool, async (session) => {
    // Pages of activity are applied under this lock, so no row can be added between the check and the update.
    await lockLedger(session);
    const open = new Set((await listPending(session, traderId)).map(({ row }) => row.type.toLowerCase()));
    const closed = SPLIT_GAPS.filter((gap) => !open.has(gap));
    await run(
      session,
      sql`update ${traderSyncs} set ${columnName(traderSyncs.gaps)} = array(
        select gap from unnest(${traderSyncs.gaps}) gap where gap <> all(${array(closed, "text")}) order by gap
      ) where ${traderSyncs.traderId} = ${traderId}`,
    );
  });
}

/** At most MARKETS_AT_ONCE conditions; the selection rotates every minute. */
function rotate(conditions: readonly string[], now: Date): string[] {
  const start = (Math.floor(now.getTime() / ROTATION_MS) * MARKETS_AT_ONCE) % Math.max(conditions.length, 1);
  return [...conditions.slice(start), ...conditions.slice(0, start)].slice(0, MARKETS_AT_ONCE);
}

const PendingRow = z.object({
  type: z.enum(["SPLIT", "MERGE"]),
  condition_id: z.string(),
  shares_micro: bigintText,
  ordinal: z.number().int(),
  tx: z.string(),
  happened_ms: z.number(),
});

/** The trader's splits and merges that have no ledger entry, oldest first. */
async function listPending(session: Session, traderId: number): Promise<NumberedRow<SplitOrMerge>[]> {
  const rows = await selectRows(
    session,
    sql`select ${a.type}, ${a.conditionId}, ${a.sharesMicro}, ${a.ordinal},
       '0x' || encode(${a.txHash}, 'hex') as tx, ${epochMs(a.happenedAt)} as happened_ms
     from ${a}
     where ${a.traderId} = ${traderId} and ${a.type} in ('SPLIT', 'MERGE')
       and not ${isCombinationSql(a.conditionId)} and not exists (
       select from ${e} join ${m} on ${m.id} = ${e.marketId}
       where ${e.txHash} = ${a.txHash} and ${e.traderId} = ${a.traderId} and ${e.kind} = lower(${a.type})
         and ${e.sharesMicro} = ${a.sharesMicro}
         and ${e.ordinal} = ${a.ordinal} and ${m.conditionId} = ${a.conditionId}
     )
     order by ${a.happenedAt}, ${a.id}`,
    PendingRow,
  );
  return rows.map((row) => ({
    ordinal: row.ordinal,
    row: {
      type: row.type,
      market: row.condition_id === "" ? null : { conditionId: row.condition_id },
      sharesMicro: row.shares_micro,
      txHash: row.tx,
      happenedAt: new Date(row.happened_ms),
    },
  }));
}
