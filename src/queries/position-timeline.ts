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

/** In which positions are folded (compareMovements), made total over the market's outcomes. */
const ORDER = ["e.traded_at", "e.kind", "e.tx_hash", "e.shares_micro", "e.ordinal", "o.outcome_index"].map((column) => sql.raw(column));
const ordering = sql.join(ORDER, sql`, `);
const newestFirst = sql.join(
  ORDER.map((column) => sql`${column} desc`),
  sql`, `,
);

/**
 * The buys and sells of one wallet in one market, newest first, in the reverse of the order in which positions are folded. Running values count
 * every stored fill of the outcome, older pages too; splits, merges and conversions are no fills.
 *
 * Reads the wallet's entries in that market and no others: the index of positions has them by outcome. They are summed up once, without being
 * sorted; what the page's fills left is those sums less the fills that came after.
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
  const fillsOf = sql`ledger_entries e where e.trader_id = wallet.id and e.outcome_id = o.id and e.kind in ('buy', 'sell')`;
  const isBehind = page.place === null ? sql`true` : sql`(${ordering}) < (table place)`;
  // Implied by the other, for the index.
  const notAfter = page.place === null ? sql`true` : sql`e.traded_at <= (select traded_at from place)`;
  // The fences ("offset 0") keep each join a look-up: of the wallet's entries, or the market's, there may be a million.
  const rows = await selectRows(
    db,
    sql`with wallet as materialized (
        select t.id, t.tier from (${resolveWalletNames([name])}) named
        cross join lateral (select id, tier from traders where id = named.trader_id offset 0) t
      ), o as materialized (
        select o.id, o.outcome_index, o.token_id from (select m.id from markets m where ${isMarket(market)} offset 0) m
        cross join lateral (select * from outcomes where market_id = m.id and outcome_index in (0, 1) offset 0) o
      ), place as materialized (
        select ${ordering} from (select * from ledger_entries where id = ${page.place}::bigint offset 0) e
        join wallet on wallet.id = e.trader_id join o on o.id = e.outcome_id where e.kind in ('buy', 'sell')
      ), sums as materialized (
        select o.id as outcome_id, of_one.* from wallet cross join o cross join lateral (
          select count(*) as total,
            coalesce(sum(case e.kind when 'buy' then e.shares_micro else -e.shares_micro end) filter (where ${isBehind}), 0) as running,
            coalesce(sum(e.shares_micro) filter (where e.kind = 'buy' and ${isBehind}), 0) as bought,
            coalesce(sum(e.usd_micro) filter (where e.kind = 'buy' and ${isBehind}), 0) as paid
          from ${fillsOf}
        ) of_one
      ), page as materialized (
        select e.*, o.outcome_index, o.token_id, row_number() over (order by ${newestFirst}) as n
        from wallet cross join o cross join lateral (
          select * from ${fillsOf} and ${notAfter} and ${isBehind} order by ${newestFirst} limit ${page.limit + 1}
        ) e order by n limit ${page.limit + 1}
      ), fills as (
        select page.*, sums.running - coalesce(sum(case kind when 'buy' then shares_micro else -shares_micro end) over later, 0) as running_micro,
          sums.bought - coalesce(sum(shares_micro) filter (where kind = 'buy') over later, 0) as bought_micro,
          sums.paid - coalesce(sum(usd_micro) filter (where kind = 'buy') over later, 0) as paid_micro
        from page join sums using (outcome_id)
        window later as (partition by outcome_id order by n rows between unbounded preceding and 1 preceding)
      )
      select wallet.tier, coalesce((select sum(total) from sums), 0) as total,
        ${page.place === null ? sql`true` : sql`exists (table place)`} as is_placed,
        case when fills.id is not null then jsonb_build_object('id', fills.id, 'traded_at', ${iso(sql`fills.traded_at`)}, 'kind', fills.kind,
          'outcome_index', fills.outcome_index, 'token_id', fills.token_id, 'shares_micro', fills.shares_micro::text,
          'usd_micro', fills.usd_micro::text, 'price', fills.price::text, 'tx_hash', '0x' || encode(fills.tx_hash, 'hex'),
          'running_micro', fills.running_micro::text, 'bought_micro', fills.bought_micro::text, 'paid_micro', fills.paid_micro::text) end as fill
      from wallet left join fills on true order by fills.n`,
    z.object({ tier: z.enum(["hot", "warm", "cold"]), total: count, is_placed: z.boolean(), fill: Fill.nullable() }),
  );
  const first = rows[0];
  if (first === undefined) return null;
  return { tier: first.tier, total: first.total, isPlaced: first.is_placed, fills: rows.flatMap(({ fill }) => fill ?? []) };
}
