import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { GRADES } from "../domain/grades.ts";
import { GenerationRow, selectGeneration } from "./generations.ts";
import type { RankedPage, RankedPlace } from "./leaderboard.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";
import { priceAt, valueAt } from "./market-status.ts";
import { moneyBound } from "./money-bound.ts";
import { allOf, big, count, iso, selectRows } from "./rows.ts";
import { selectWalletFigures, WALLET_FIGURES } from "./wallet-figures.ts";

/** What a wallet holds of one outcome now. */
const Holding = z.object({
  outcome_index: z.union([z.literal(0), z.literal(1)]),
  outcome_label: z.string().nullable(),
  token_id: z.string(),
  shares_micro: big,
  cost_micro: big,
  /** A fraction 0 to 1; null, like the value, while the outcome has none. */
  price: z.string().nullable(),
  /** The price of the market's first outcome. */
  first_price: z.string().nullable(),
  value_micro: big.nullable(),
});

export type LargeHolding = z.output<typeof Holding>;

const LargePositionRow = z.object({
  rank: count,
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES),
  ...WALLET_FIGURES,
  market_id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  /** The most valuable first; what has no price last. */
  holdings: z.array(Holding).min(1),
  first_seen_at: z.string(),
  updated_at: z.string(),
  /** The wallet's listed positions in markets of the same event with most on the same side, this one included. */
  legs: count,
  /** Their value together; null when a holding of one of them has no price. */
  legs_value_micro: big.nullable(),
});

export type LargePositionRow = z.output<typeof LargePositionRow>;

export interface LargePositionFilters {
  readonly minSizeUsd: number;
  /** In lower case; null lets all pass, an empty list none. */
  readonly categories: readonly string[] | null;
  readonly grades: readonly string[];
  readonly market: MarketRef | null;
}

/** A position counts for so long after the scan last saw it. */
const SEEN_HOURS = 24;

const among = (column: SQL, values: readonly string[]): SQL =>
  values.length === 0
    ? sql`false`
    : sql`${column} in (${sql.join(
        values.map((value) => sql`${value}`),
        sql`, `,
      )})`;

function passing({ minSizeUsd, categories, grades, market }: LargePositionFilters, now: Date): SQL {
  return allOf([
    sql`e.last_seen_at > ${now.toISOString()}::timestamptz - make_interval(hours => ${SEEN_HOURS})`,
    sql`e.value_micro >= ${moneyBound(minSizeUsd)}`,
    among(sql`e.grade`, grades),
    categories === null ? null : among(sql`lower(e.category)`, categories),
    market === null ? null : sql`e.market_id = (select m.id from markets m where ${isMarket(market)})`,
    IS_HELD,
  ]);
}

const OPEN = sql`p.settled_micro is null and p.shares_micro > 0`;

/** Of an entry `e`: it has not settled or been sold since the generation was built. A scalar stays a look-up, whatever else is asked for. */
const IS_HELD = sql`(select true from positions p where p.market_id = e.market_id and p.trader_id = e.trader_id and ${OPEN} limit 1)`;

/**
 * What the wallet of an entry holds in its market now, at the prices of now: `holdings`, the most valuable first and what has no price last;
 * `value_micro`, null when one of them has no price; `moved_at`, when they last changed.
 */
const heldNow = (entry: SQL, now: Date): SQL => sql`
  select jsonb_agg(jsonb_build_object('outcome_index', o.outcome_index, 'outcome_label', o.label, 'token_id', o.token_id,
      'shares_micro', p.shares_micro::text, 'cost_micro', p.cost_micro::text, 'price', worth.price::text, 'first_price', worth.first_price::text,
      'value_micro', worth.value_micro::text) order by worth.value_micro desc nulls last, o.outcome_index) as holdings,
    case when bool_and(worth.value_micro is not null) then sum(worth.value_micro)::bigint end as value_micro, max(p.last_at) as moved_at
  from (select * from markets where id = ${entry}.market_id offset 0) m
  cross join lateral (select * from outcomes x where x.market_id = m.id and x.outcome_index in (0, 1) offset 0) o
  cross join lateral (select * from positions p where p.trader_id = ${entry}.trader_id and p.outcome_id = o.id and ${OPEN} offset 0) p
  cross join lateral (
    select ${priceAt(now)} as price, ${valueAt(now, "p.shares_micro")} as value_micro,
      (select ${priceAt(now, "yes")} from outcomes yes where yes.market_id = m.id and yes.outcome_index = 0) as first_price
  ) worth`;

/**
 * A page of large positions, from the newest generation or from the one the place names. Grades are the generation's, so that a walk meets every
 * row once; a new grade makes a new generation. Which rows there are and their order is read from the one generation, which holds a few thousand
 * rows at most; what they hold and its worth is that of now. What has settled or been sold since is left out.
 *
 * @returns null when there is no such generation (any more)
 */
export async function listLargePositions(
  db: Database,
  filters: LargePositionFilters,
  page: { place: RankedPlace | null; limit: number },
  now: Date,
): Promise<RankedPage<LargePositionRow> | null> {
  const listed = sql`large_position_entries e where e.generation = g.id and ${passing(filters, now)}`;
  // The fences ("offset 0") keep each join a look-up, and leave Postgres no order of joins to plan.
  const rows = await selectRows(
    db,
    sql`with g as materialized (${selectGeneration("large_positions", page.place?.generation ?? null)}), page as materialized (
        select e.* from g cross join lateral (
          select e.* from ${listed} and e.rank > ${page.place?.rank ?? 0} order by e.rank limit ${page.limit + 1}
        ) e
      ), figures as materialized (${selectWalletFigures(sql`page`, now)}), entries as (
        select page.rank, jsonb_build_object('rank', page.rank, 'trader_id', page.trader_id, 'address', t.address, 'username', t.username,
          'grade', page.grade, 'figures', (select f.figures from figures f where f.trader_id = page.trader_id), 'market_id', page.market_id,
          'condition_id', m.condition_id, 'title', m.title, 'slug', m.slug,
          'event_slug', (select ev.slug from provider_events ev where ev.id = page.event_id), 'category', page.category,
          'holdings', held.holdings, 'first_seen_at', ${iso(sql`page.first_seen_at`)},
          'updated_at', ${iso(sql`greatest(page.updated_at, held.moved_at)`)},
          'legs', legs.count, 'legs_value_micro', legs.value_micro::text) as entry
        from page
        cross join lateral (select address, username from traders where id = page.trader_id offset 0) t
        cross join lateral (select condition_id, title, slug from markets where id = page.market_id offset 0) m
        cross join lateral (${heldNow(sql`page`, now)}) held
        cross join lateral (
          select count(*) as count, case when bool_and(held.value_micro is not null) then sum(held.value_micro)::bigint end as value_micro
          from large_position_entries leg cross join lateral (${heldNow(sql`leg`, now)}) held
          where held.holdings is not null and leg.generation = page.generation and leg.trader_id = page.trader_id
            and (leg.market_id = page.market_id
              or (leg.event_id = page.event_id and leg.holdings -> 0 -> 'outcome_index' = page.holdings -> 0 -> 'outcome_index'))
        ) legs
      )
      select to_jsonb(g) as generation, entries.entry, (select count(*) from g cross join lateral (select from ${listed} offset 0) e) as total
      from g left join entries on true order by entries.rank`,
    z.object({ generation: GenerationRow, entry: LargePositionRow.nullable(), total: count }),
  );
  const first = rows[0];
  return first === undefined ? null : { generation: first.generation, total: first.total, rows: rows.flatMap(({ entry }) => entry ?? []) };
}
