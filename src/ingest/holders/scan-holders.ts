import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Session } from "../../db/client.ts";
import type { Provider } from "../../ports/provider.ts";
import { setAside } from "../set-aside.ts";
import { walkHolders, type Holding, type HolderWalk } from "./walk-holders.ts";

/**
 * Reads a market's holders to the end and puts them in place of the last scan, in one transaction. A scan that cannot be whole leaves the last
 * one standing and says why. One that is not waited for any more, because it is done, is left alone.
 */
export async function scanHolders(pool: Pool, provider: Provider, marketId: number, now: () => Date): Promise<void> {
  const market = await findAwaited(pool, marketId);
  if (market === null) return;
  // The roster is as old as its first page.
  const startedAt = now();
  const walk = await walkHolders(provider, market.conditionId, {
    outcomeIndexes: market.outcomeIndexes,
    findGraded: (addresses) => findGraded(pool, addresses),
  });
  await inTransaction(pool, (session) => applyWalk(session, marketId, walk, startedAt));
}

async function applyWalk(session: Session, marketId: number, walk: HolderWalk, startedAt: Date): Promise<void> {
  await setAside(session, "holders", walk.misfits);
  if (!walk.whole) {
    await session.query(`update holder_scans set last_error = $2 where market_id = $1`, [marketId, walk.reason]);
    return;
  }
  // Two walks of one market may overlap: the one that began later stays. The row is locked, so that they replace one after the other.
  const { rowCount } = await session.query(
    `update holder_scans set fetched_at = $2, wallet_count = $3, last_error = null, enqueued_at = null
     where market_id = $1 and (fetched_at is null or fetched_at < $2)`,
    [marketId, startedAt.toISOString(), walk.walletCount],
  );
  if (rowCount === 0) return;
  await session.query(`delete from market_holders where market_id = $1`, [marketId]);
  await insertHoldings(session, marketId, walk.holdings);
}

async function insertHoldings(session: Session, marketId: number, holdings: readonly Holding[]): Promise<void> {
  await session.query(
    `insert into market_holders (market_id, trader_id, outcome_index, shares_micro, value_micro)
     select $1, * from unnest($2::bigint[], $3::smallint[], $4::bigint[], $5::bigint[])`,
    [
      marketId,
      holdings.map((holding) => holding.traderId),
      holdings.map((holding) => holding.outcomeIndex),
      holdings.map((holding) => String(holding.sharesMicro)),
      holdings.map((holding) => (holding.valueMicro === null ? null : String(holding.valueMicro))),
    ],
  );
}

interface AwaitedMarket {
  readonly conditionId: string;
  readonly outcomeIndexes: ReadonlyMap<string, number>;
}

/** @returns null unless a scan of the market is queued */
async function findAwaited(pool: Pool, marketId: number): Promise<AwaitedMarket | null> {
  const { rows } = await pool.query<{ condition_id: string; token_id: string | null; outcome_index: number | null }>(
    `select m.condition_id, o.token_id, o.outcome_index
     from holder_scans s join markets m on m.id = s.market_id
     left join outcomes o on o.market_id = m.id and o.outcome_index is not null
     where s.market_id = $1 and s.enqueued_at is not null`,
    [marketId],
  );
  const [first] = rows;
  if (first === undefined) return null;
  const indexes = rows.flatMap((row) =>
    row.token_id === null || row.outcome_index === null ? [] : [[row.token_id, row.outcome_index] as const],
  );
  return { conditionId: first.condition_id, outcomeIndexes: new Map(indexes) };
}

async function findGraded(pool: Pool, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; address: string }>(
    `select id, address from traders where address = any($1::text[]) and grade is not null`,
    [addresses],
  );
  return new Map(rows.map((row) => [row.address, row.id]));
}
