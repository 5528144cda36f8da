import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { skillMarkets } from "../../db/schema.ts";
import { allOf, array, integer, selectRows, type Columns } from "../../db/sql.ts";
import { addBet, EMPTY_CLUSTER, type ClusterSums } from "../../scoring/skill/cluster-sums.ts";

/** Some traders of a market, ordered by id. */
export interface TraderSlice {
  readonly traderIds: readonly number[];
  /** Whether traders with higher ids follow. */
  readonly hasMore: boolean;
}

/**
 * Maximum that one transaction reads, so that a market of a hundred thousand traders never fits in memory at
 * once.
 */
export interface SliceLimits {
  readonly traders: number;
  /** Number of ledger entries; a single trader may have more. */
  readonly entries: number;
}

/** The bets of a market that must be read: those of some traders, or all. */
export interface DueBets {
  readonly marketId: string;
  /** Null for all. */
  readonly traderIds: readonly string[] | null;
}

/** The next of these traders that have a position in the market or had bets in it. */
export async function nextTraders(
  session: Session,
  { marketId, traderIds: named }: DueBets,
  after: number,
  limits: SliceLimits,
): Promise<TraderSlice> {
  const isNext = (row: Columns<typeof skillMarkets, "marketId" | "traderId">) =>
    allOf([
      sql`${row.marketId} = ${marketId}`,
      sql`${row.traderId} > ${after}`,
      named === null ? null : sql`${row.traderId} = any(${array(named, "bigint")})`,
    ]);
  const rows = await selectRows(
    session,
    sql`(select ${p.traderId}, ${p.entryCount} as entries from ${p} where ${isNext(p)}
       order by ${p.traderId} limit ${limits.traders})
     union all
     (select ${skillMarkets.traderId}, 0 from ${skillMarkets} where ${isNext(skillMarkets)}
       order by ${skillMarkets.traderId} limit ${limits.traders})
     order by trader_id limit ${limits.traders}`,
    z.object({ trader_id: integer, entries: integer }),
  );
  const traderIds = new Set<number>();
  let entries = 0;
  for (const row of rows) {
    const traderId = row.trader_id;
    if (!traderIds.has(traderId) && traderIds.size > 0 && entries + row.entries > limits.entries)
      return { traderIds: [...traderIds], hasMore: true };
    traderIds.add(traderId);
    entries += row.entries;
  }
  return { traderIds: [...traderIds], hasMore: rows.length === limits.traders };
}

/**
 * The settled bets of a slice's traders in one market, summed. Purchases only. An outcome without a payout or
 * a known index is no bet. Summed here and not in SQL, because `src/scoring/skill` rounds each bet and SQL
 * rounds ties differently.
 */
export async function readBets(
  session: Session,
  marketId: string,
  traderIds: readonly number[],
): Promise<Map<number, ClusterSums>> {
  const payout = sql`${m.payoutsPpm}[${o.outcomeIndex} + 1]`;
  const rows = await selectRows(
    session,
    sql`select ${e.traderId}, ${e.price}, ${e.usdMicro}, ${payout} as payout_ppm
     from ${p}
     join ${o} on ${o.id} = ${p.outcomeId} and ${o.marketId} = ${p.marketId}
     join ${m} on ${m.id} = ${p.marketId}
     join ${e} on ${e.traderId} = ${p.traderId} and ${e.outcomeId} = ${p.outcomeId} and ${e.kind} = 'buy'
     where ${p.marketId} = ${marketId} and ${p.traderId} = any(${array(traderIds, "bigint")})
       and ${payout} is not null`,
    z.object({ trader_id: integer, price: z.coerce.number(), usd_micro: integer, payout_ppm: integer }),
  );
  const sums = new Map<number, ClusterSums>();
  for (const row of rows) {
    const bet = { cluster: marketId, price: row.price, usd: row.usd_micro / 1e6, payout: row.payout_ppm / 1e6 };
    sums.set(row.trader_id, addBet(sums.get(row.trader_id) ?? EMPTY_CLUSTER, bet));
  }
  return sums;
}
