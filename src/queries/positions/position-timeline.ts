import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, t } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { bigintText, integer, isoText, selectRows } from "../../db/sql.ts";
import { TIERS } from "../../domain/traders/tracking.ts";
import { isMarket, type MarketRef } from "../markets/is-market.ts";
import type { PageRequest } from "../page-request.ts";
import { resolveTraderNames, type TraderName } from "../traders/trader-names.ts";

const Fill = z.object({
  id: integer,
  traded_at: z.string(),
  kind: z.enum(["buy", "sell"]),
  outcome_index: z.union([z.literal(0), z.literal(1)]),
  token_id: z.string(),
  shares_micro: bigintText,
  usd_micro: bigintText,
  price: z.string(),
  tx_hash: z.string(),
  /**
   * Shares bought minus shares sold in this outcome, up to and including this fill; negative when shares were
   * sold first whose acquisition is not recorded.
   */
  running_micro: bigintText,
  /** Purchases in this outcome, up to and including this fill: shares, and dollars paid. */
  bought_micro: bigintText,
  paid_micro: bigintText,
});

export type TimelineFill = z.output<typeof Fill>;

export interface TimelinePage {
  readonly tier: "hot" | "warm" | "cold";
  /** One more than the limit when there is a next page. */
  readonly fills: TimelineFill[];
  readonly total: number;
  /** Whether the fill in the cursor still exists. */
  readonly isCursorFound: boolean;
}

/**
 * The order of the position fold (compareLedgerEntries), extended to a total order over the market's
 * outcomes.
 */
const ORDER_COLUMNS = [e.tradedAt, e.kind, e.txHash, e.sharesMicro, e.ordinal, o.outcomeIndex];
const orderColumns = sql.join(ORDER_COLUMNS, sql`, `);
const newestFirst = sql.join(
  ORDER_COLUMNS.map((column) => sql`${column} desc`),
  sql`, `,
);

/**
 * Lists the fills of one trader in one market, newest first, in the reverse order of the position fold.
 * Running values include every stored fill of the outcome, also those on later pages; splits, merges and
 * conversions are not fills.
 *
 * Reads only the trader's entries in that market: the position index has them by outcome. Sums over all
 * entries are computed once, without sorting; the running values of a page are those sums minus the newer
 * fills.
 *
 * @param page `cursor` is the id of the last fill of the previous page
 * @returns null when there is no such trader
 */
export async function findPositionTimeline(
  db: Database,
  name: TraderName,
  market: MarketRef,
  page: PageRequest<number>,
): Promise<TimelinePage | null> {
  const rows = await selectRows(
    db,
    sql`with ${timelineTables(name, market, page)}
      select trader.tier, coalesce((select sum(total) from sums), 0) as total,
        ${page.cursor === null ? sql`true` : sql`exists (table page_start)`} as is_placed,
        case when fills.id is not null then jsonb_build_object('id', fills.id,
          'traded_at', ${isoText(sql`fills.traded_at`)}, 'kind', fills.kind,
          'outcome_index', fills.outcome_index, 'token_id', fills.token_id, 'shares_micro', fills.shares_micro::text,
          'usd_micro', fills.usd_micro::text, 'price', fills.price::text,
          'tx_hash', '0x' || encode(fills.tx_hash, 'hex'), 'running_micro', fills.running_micro::text,
          'bought_micro', fills.bought_micro::text, 'paid_micro', fills.paid_micro::text) end as fill
      from trader left join fills on true order by fills.n`,
    z.object({ tier: z.enum(TIERS), total: integer, is_placed: z.boolean(), fill: Fill.nullable() }),
  );
  const first = rows[0];
  if (first === undefined) return null;
  return {
    tier: first.tier,
    total: first.total,
    isCursorFound: first.is_placed,
    fills: rows.flatMap(({ fill }) => fill ?? []),
  };
}

const IS_FILL = sql`${e.kind} in ('buy', 'sell')`;

/**
 * CTEs: `trader`, `o` (the market's outcomes), `page_start` (the fill in the cursor), `sums` (by
 * outcome, over all fills or those after the cursor), `page`, and `fills` (the page with running values).
 *
 * The fences ("offset 0") keep each join a lookup: the trader, or the market, may have a million entries.
 */
function timelineTables(name: TraderName, market: MarketRef, { cursor, limit }: PageRequest<number>): SQL {
  const fillsOf = sql`${e} where ${e.traderId} = trader.id and ${e.outcomeId} = ${o.id} and ${IS_FILL}`;
  const isAfterCursor = cursor === null ? sql`true` : sql`(${orderColumns}) < (table page_start)`;
  // Implied by `isAfterCursor`; lets the index limit the range.
  const isNotNewer = cursor === null ? sql`true` : sql`${e.tradedAt} <= (select traded_at from page_start)`;
  return sql`
    trader as materialized (
      select ${t.id}, ${t.tier} from (${resolveTraderNames([name])}) named
      cross join lateral (select ${t.id}, ${t.tier} from ${t} where ${t.id} = named.trader_id offset 0) t
    ), o as materialized (
      select ${o.id}, ${o.outcomeIndex}, ${o.tokenId}
      from (select ${m.id} from ${m} where ${isMarket(market)} offset 0) m
      cross join lateral (select * from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} in (0, 1) offset 0) o
    ), page_start as materialized (
      select ${orderColumns} from (select * from ${e} where ${e.id} = ${cursor}::bigint offset 0) e
      join trader on trader.id = ${e.traderId} join o on ${o.id} = ${e.outcomeId} where ${IS_FILL}
    ), sums as materialized (
      select ${o.id} as outcome_id, of_one.* from trader cross join o cross join lateral (
        select count(*) as total,
          coalesce(sum(case ${e.kind} when 'buy' then ${e.sharesMicro}
            else -${e.sharesMicro} end) filter (where ${isAfterCursor}), 0) as running,
          coalesce(sum(${e.sharesMicro}) filter (where ${e.kind} = 'buy' and ${isAfterCursor}), 0) as bought,
          coalesce(sum(${e.usdMicro}) filter (where ${e.kind} = 'buy' and ${isAfterCursor}), 0) as paid
        from ${fillsOf}
      ) of_one
    ), page as materialized (
      select e.*, ${o.outcomeIndex}, ${o.tokenId}, row_number() over (order by ${newestFirst}) as n
      from trader cross join o cross join lateral (
        select * from ${fillsOf} and ${isNotNewer} and ${isAfterCursor} order by ${newestFirst} limit ${limit + 1}
      ) e order by n limit ${limit + 1}
    ), fills as (
      select page.*, sums.running - coalesce(sum(case kind when 'buy' then shares_micro
        else -shares_micro end) over later, 0) as running_micro,
        sums.bought - coalesce(sum(shares_micro) filter (where kind = 'buy') over later, 0) as bought_micro,
        sums.paid - coalesce(sum(usd_micro) filter (where kind = 'buy') over later, 0) as paid_micro
      from page join sums using (outcome_id)
      window later as (partition by outcome_id order by n rows between unbounded preceding and 1 preceding)
    )`;
}
