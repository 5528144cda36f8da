import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";
import { big, count, iso, selectRows } from "./rows.ts";
import { resolveWalletNames, type WalletName } from "./wallet-names.ts";

const Fill = z.object({
  id: count,
  traded_at: z.string(),
  kind: z.enum(["buy", "sell"]),
  outcome_index: z.union([z.literal(0), z.literal(1)]),
  token_id: z.string(),
  shares_micro: big,
  usd_micro: big,
  price: z.string(),
  tx_hash: z.string(),
  /** Bought less sold in this outcome, up to and with this fill; below zero where sales of shares we never saw acquired come first. */
  running_micro: big,
  /** What was bought in this outcome, up to and with this fill: shares, and what was paid. */
  bought_micro: big,
  paid_micro: big,
});

export type TimelineFill = z.output<typeof Fill>;

export interface TimelinePage {
  readonly tier: "hot" | "warm" | "cold";
  /** One more than asked when there is a next page. */
  readonly fills: TimelineFill[];
  readonly total: number;
  /** Whether the place a cursor names is still there. */
  readonly isPlaced: boolean;
}

/**
 * The buys and sells of one wallet in one market, newest first, in the reverse of the order in which positions are folded. Running values count
 * every stored fill of the outcome, older pages too; splits, merges and conversions are no fills.
 *
 * Reads the wallet's entries in that market and no others: the index of positions has them by outcome.
 *
 * @param place the last fill of the page before, by id
 * @returns null when nobody has the name
 */
export async function findPositionTimeline(
  db: Database,
  name: WalletName,
  market: MarketRef,
  page: { place: number | null; limit: number },
): Promise<TimelinePage | null> {
  const rows = await selectRows(
    db,
    sql`with wallet as (
        -- The fence makes it a look-up: how many names there are Postgres cannot see, and it would read all wallets for them.
        select t.id, t.tier from (${resolveWalletNames([name])}) named
        cross join lateral (select id, tier from traders where id = named.trader_id offset 0) t
      ), fills as (
        select e.id, e.traded_at, e.kind, o.outcome_index, o.token_id, e.shares_micro, e.usd_micro, e.price, e.tx_hash,
          sum(case e.kind when 'buy' then e.shares_micro else -e.shares_micro end) over running as running_micro,
          coalesce(sum(e.shares_micro) filter (where e.kind = 'buy') over running, 0) as bought_micro,
          coalesce(sum(e.usd_micro) filter (where e.kind = 'buy') over running, 0) as paid_micro,
          -- The order of compareMovements, made total over the market's outcomes.
          row_number() over (order by e.traded_at, e.kind, e.tx_hash, e.shares_micro, e.ordinal, o.outcome_index) as place
        from wallet cross join markets m join outcomes o on o.market_id = m.id and o.outcome_index in (0, 1)
        -- The fence makes it a look-up of each outcome: of the wallet's entries, or the market's, there may be a million.
        cross join lateral (
          select * from ledger_entries l where l.trader_id = wallet.id and l.outcome_id = o.id and l.kind in ('buy', 'sell') offset 0
        ) e
        where ${isMarket(market)}
        window running as (partition by e.outcome_id order by e.traded_at, e.kind, e.tx_hash, e.shares_micro, e.ordinal
          rows between unbounded preceding and current row)
      ), page as (
        select * from fills
        where ${page.place === null ? sql`true` : sql`place < (select place from fills where id = ${page.place})`}
        order by place desc limit ${page.limit + 1}
      )
      select wallet.tier, (select count(*) from fills) as total,
        ${page.place === null ? sql`true` : sql`exists (select from fills where id = ${page.place})`} as is_placed,
        case when page.id is not null then jsonb_build_object('id', page.id, 'traded_at', ${iso(sql`page.traded_at`)}, 'kind', page.kind,
          'outcome_index', page.outcome_index, 'token_id', page.token_id, 'shares_micro', page.shares_micro::text,
          'usd_micro', page.usd_micro::text, 'price', page.price::text, 'tx_hash', '0x' || encode(page.tx_hash, 'hex'),
          'running_micro', page.running_micro::text, 'bought_micro', page.bought_micro::text, 'paid_micro', page.paid_micro::text) end as fill
      from wallet left join page on true order by page.place desc`,
    z.object({ tier: z.enum(["hot", "warm", "cold"]), total: count, is_placed: z.boolean(), fill: Fill.nullable() }),
  );
  const first = rows[0];
  if (first === undefined) return null;
  return { tier: first.tier, total: first.total, isPlaced: first.is_placed, fills: rows.flatMap(({ fill }) => fill ?? []) };
}
