import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { ledgerEntries, skillMarkets } from "../../db/schema.ts";
import { alias, allOf, array, integer, selectRows, type Columns } from "../../db/sql.ts";
import type { ClusterSums } from "../../scoring/skill/cluster-sums.ts";
import { closingPriceFor } from "../../scoring/skill/closing-price.ts";
import { MICRO } from "../../scoring/skill/parameters.ts";
import { addBet, addClose, NO_BETS, netMarket, type MarketBets } from "../../scoring/skill/market-bets.ts";
import type { MarketClose } from "./read-close.ts";

const BetRow = z.object({
  trader_id: integer,
  outcome_index: z.number(),
  shares_micro: integer,
  usd_micro: integer,
  payout_ppm: z.number(),
  is_maker: z.boolean(),
  is_early: z.boolean(),
  outcomes: z.number(),
});

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

const taking = alias(ledgerEntries, "taking");

/**
 * The settled bets of a slice's traders in one market, netted. Purchases only. An outcome without a payout or
 * a known index is no bet. Netted here and not in SQL, because SQL rounds ties differently.
 *
 * A transaction settles one taker's order, so once the takers' feed has shown its taker, all its other fills are makers'.
 * Where the taker is not known (fills from before the feed's coverage), a role is unknown.
 *
 * @param close of the market; null where it has none
 */
export async function readBets(
  session: Session,
  marketId: string,
  traderIds: readonly number[],
  close: MarketClose | null,
): Promise<Map<number, ClusterSums>> {
  const payout = sql`${m.payoutsPpm}[${o.outcomeIndex} + 1]`;
  const rows = await selectRows(
    session,
    sql`select ${e.traderId}, ${o.outcomeIndex}, ${e.sharesMicro}, ${e.usdMicro}, ${payout} as payout_ppm,
       taker.is_shown is not null as is_maker, coalesce(${e.tradedAt} < ${close?.at ?? null}::timestamptz, false) as is_early, cardinality(${m.payoutsPpm}) as outcomes
     from ${p}
     join ${o} on ${o.id} = ${p.outcomeId} and ${o.marketId} = ${p.marketId}
     join ${m} on ${m.id} = ${p.marketId}
     join ${e} on ${e.traderId} = ${p.traderId} and ${e.outcomeId} = ${p.outcomeId} and ${e.kind} = 'buy'
     -- One index lookup per fill of unknown role.
     left join lateral (
       select true as is_shown from ${taking}
       where ${taking.txHash} = ${e.txHash} and ${taking.marketId} = ${e.marketId} and ${taking.role} = 'taker' limit 1
     ) taker on ${e.role} is null
     where ${p.marketId} = ${marketId} and ${p.traderId} = any(${array(traderIds, "bigint")})
       and ${payout} is not null`,
    BetRow,
  );
  const outcomes = rows[0]?.outcomes;
  const byTrader = Map.groupBy(rows, (row) => row.trader_id);
  return new Map([...byTrader].map(([traderId, own]) => [traderId, netRows(own, closeFor(close, traderId), outcomes)]));
}

const closeFor = (close: MarketClose | null, traderId: number): number | null =>
  close === null ? null : closingPriceFor(close.trades, traderId);

/** @param close closing price of the first outcome; null where none is known */
function netRows(
  rows: readonly z.output<typeof BetRow>[],
  close: number | null,
  outcomes: number | undefined,
): ClusterSums {
  let bets: MarketBets = NO_BETS;
  let early: MarketBets = NO_BETS;
  for (const { outcome_index: outcome, shares_micro: sharesMicro, usd_micro: usdMicro, ...row } of rows) {
    const bet = { outcome, isMaker: row.is_maker, sharesMicro, usdMicro };
    bets = addBet(bets, { ...bet, payout: row.payout_ppm / MICRO });
    if (row.is_early && close !== null) early = addBet(early, { ...bet, payout: outcome === 0 ? close : 1 - close });
  }
  return addClose(netMarket(bets, outcomes), early, outcomes);
}
