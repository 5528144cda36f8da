import type { Pool } from "@neondatabase/serverless";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { m, o, scans, t } from "../../db/aliases.ts";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { holderScans, marketHolders } from "../../db/schema.ts";
import { array, columnName, columnNames, run, selectRows } from "../../db/sql.ts";
import type { Provider } from "../../platform/provider.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { walkHolders, type HolderShares, type HolderWalk } from "./walk-holders.ts";

/**
 * Reads all holders of a market and replaces the last scan, in one transaction. An incomplete scan keeps the
 * last one and stores the reason. A market without a queued scan is left unchanged.
 */
export async function scanHolders(pool: Pool, provider: Provider, marketId: number, now: () => Date): Promise<void> {
  const market = await findQueuedMarket(pool, marketId);
  if (market === null) return;
  // The holders are as of the time of the first page.
  const startedAt = now();
  const walk = await walkHolders(provider, market.conditionId, {
    outcomeIndexes: market.outcomeIndexes,
    findGraded: (addresses) => findGraded(pool, addresses),
  });
  await inTransaction(pool, (session) => applyWalk(session, marketId, walk, startedAt));
}

async function applyWalk(session: Session, marketId: number, walk: HolderWalk, startedAt: Date): Promise<void> {
  await quarantineRecords(session, "holders", walk.quarantined);
  if (!walk.isComplete) {
    await session.update(holderScans).set({ lastError: walk.reason }).where(eq(holderScans.marketId, marketId));
    return;
  }
  // Two walks of one market may overlap: the one that began later wins. The row lock makes them replace one
  // after the other.
  const replaced = await run(
    session,
    sql`update ${scans} set ${columnName(scans.fetchedAt)} = ${startedAt.toISOString()},
       ${columnName(scans.walletCount)} = ${walk.holderCount}, ${columnName(scans.lastError)} = null,
       ${columnName(scans.enqueuedAt)} = null
     where ${scans.marketId} = ${marketId}
       and (${scans.fetchedAt} is null or ${scans.fetchedAt} < ${startedAt.toISOString()})`,
  );
  if (replaced === 0) return;
  await session.delete(marketHolders).where(eq(marketHolders.marketId, marketId));
  await insertHoldings(session, marketId, walk.holdings);
}

async function insertHoldings(session: Session, marketId: number, holdings: readonly HolderShares[]): Promise<void> {
  const columns = [
    marketHolders.marketId,
    marketHolders.traderId,
    marketHolders.outcomeIndex,
    marketHolders.sharesMicro,
  ];
  const rows = recordset("t", holdings, {
    trader_id: ["bigint", (holding) => holding.traderId],
    outcome_index: ["smallint", (holding) => holding.outcomeIndex],
    shares_micro: ["bigint", (holding) => String(holding.sharesMicro)],
  });
  await run(
    session,
    sql`insert into ${marketHolders} (${columnNames(...columns)}) select ${marketId}, t.* from ${rows}`,
  );
}

interface QueuedMarket {
  readonly conditionId: string;
  readonly outcomeIndexes: ReadonlyMap<string, number>;
}

const QueuedOutcome = z.object({
  condition_id: z.string(),
  token_id: z.string().nullable(),
  outcome_index: z.number().nullable(),
});

/** @returns null unless a scan of the market is queued */
async function findQueuedMarket(pool: Pool, marketId: number): Promise<QueuedMarket | null> {
  const rows = await selectRows(
    sessionOf(pool),
    sql`select ${m.conditionId}, ${o.tokenId}, ${o.outcomeIndex}
     from ${scans} join ${m} on ${m.id} = ${scans.marketId}
     left join ${o} on ${o.marketId} = ${m.id} and ${o.outcomeIndex} is not null
     where ${scans.marketId} = ${marketId} and ${scans.enqueuedAt} is not null`,
    QueuedOutcome,
  );
  const [first] = rows;
  if (first === undefined) return null;
  const indexes = rows.flatMap((row) =>
    row.token_id === null || row.outcome_index === null ? [] : [[row.token_id, row.outcome_index] as const],
  );
  return { conditionId: first.condition_id, outcomeIndexes: new Map(indexes) };
}

async function findGraded(pool: Pool, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await selectRows(
    sessionOf(pool),
    sql`select ${t.id}, ${t.address} from ${t}
      where ${t.address} = any(${array(addresses, "text")}) and ${t.grade} is not null`,
    z.object({ id: z.string(), address: z.string() }),
  );
  return new Map(rows.map((row) => [row.address, row.id]));
}
