import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, l } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { array, bigintText, selectRows } from "../../db/sql.ts";
import { chunk } from "../../lib/chunk.ts";
import type { DueTrade } from "./due-trades.ts";
import { groupByEntries } from "./group-by-entries.ts";

/** Markets whose entries one statement counts. The count of one reads up to 200,000 entries of an index. */
const MARKETS_PER_COUNT = 25;

const CountedTrade = z.object({ id: z.string(), market_id: z.string(), entries: z.number() });
type CountedTrade = z.output<typeof CountedTrade>;

const TradeShares = z.object({ id: z.string(), shares_micro: bigintText.nullable() });

/** `due`: the trades; `ends`: the last of them in each market. */
const dueByMarket = (ids: readonly string[]): SQL => sql`
  due as materialized (
    select ${l.id}, ${l.marketId}, ${l.tradedAt} from ${l} where ${l.id} = any(${array(ids, "bigint")})
  ), ends as materialized (
    select market_id, max(traded_at) as last_at from due group by market_id
  )`;

/**
 * Reads the shares traded in the market of each trade up to the trade, its second included. A market is read
 * once for all its trades.
 *
 * @param maxEntries of the market up to the trade, all kinds. The entries of a trade with more are not read
 * @returns millionths by id of the trade; no value where our record is incomplete or beyond the bound
 */
export async function readMarketShares(
  session: Session,
  trades: readonly DueTrade[],
  maxEntries: number,
): Promise<Map<string, bigint>> {
  const markets = Map.groupBy(
    trades.filter((trade) => trade.is_market_read),
    (trade) => trade.market_id,
  );
  const counted: CountedTrade[] = [];
  for (const group of chunk([...markets.values()], MARKETS_PER_COUNT)) {
    counted.push(...(await countEntries(session, idsOf(group), maxEntries)));
  }
  const shares = new Map<string, bigint>();
  const countedMarkets = [...Map.groupBy(counted, (trade) => trade.market_id).values()];
  for (const group of groupByEntries(countedMarkets, ([trade]) => trade?.entries ?? 0)) {
    for (const row of await sumShares(session, idsOf(group))) {
      if (row.shares_micro !== null) shares.set(row.id, row.shares_micro);
    }
  }
  return shares;
}

const idsOf = (markets: readonly (readonly { readonly id: string }[])[]): string[] =>
  markets.flatMap((trades) => trades.map((trade) => trade.id));

/**
 * Counts the entries of each market from the index alone, at most `maxEntries` and one.
 *
 * @returns the trades within the bound, with the entries of their market up to the last of its trades
 */
const countEntries = (session: Session, ids: readonly string[], maxEntries: number): Promise<CountedTrade[]> =>
  selectRows(
    session,
    sql`with ${dueByMarket(ids)}, counts as (
       select ends.market_id, count(*)::int as entries, max(entry.traded_at) as counted_to
       from ends cross join lateral (
         select ${e.tradedAt} from ${e} where ${e.marketId} = ends.market_id and ${e.tradedAt} <= ends.last_at
         order by ${e.tradedAt} limit ${maxEntries}::int + 1
       ) entry
       group by ends.market_id
     )
     select due.id, due.market_id, counts.entries from due join counts using (market_id)
     where counts.entries <= ${maxEntries}::int or due.traded_at < counts.counted_to`,
    CountedTrade,
  );

/** Sums the takers' shares by second. Each trade is in a second, also where no share is added. */
const sumShares = (session: Session, ids: readonly string[]) =>
  selectRows(
    session,
    sql`with ${dueByMarket(ids)}, seconds as (
       select market_id, traded_at, sum(shares_micro) as shares_micro
       from (
         select market_id, traded_at, null::bigint as shares_micro from due
         union all
         select entry.* from ends cross join lateral (
           select ${e.marketId}, ${e.tradedAt}, ${e.sharesMicro} from ${e}
           where ${e.marketId} = ends.market_id and ${e.tradedAt} <= ends.last_at and ${e.role} = 'taker'
         ) entry
       ) traded
       group by market_id, traded_at
     ), running as (
       select market_id, traded_at, sum(shares_micro) over (partition by market_id order by traded_at) as shares_micro
       from seconds
     )
     select due.id, running.shares_micro::text from due join running using (market_id, traded_at)`,
    TradeShares,
  );
