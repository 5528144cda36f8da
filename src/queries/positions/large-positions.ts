import { inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ev, m, o, p, t, yes } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { largePositionEntries } from "../../db/schema.ts";
import { alias, allOf, bigintText, integer, isoText, selectRows, timestamp } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { GenerationRow, selectGeneration } from "../list-generations.ts";
import { isMarket, type MarketRef } from "../markets/is-market.ts";
import { priceAt, valueAt } from "../markets/market-status.ts";
import { moneyBound } from "../money-bound.ts";
import type { PageRequest } from "../page-request.ts";
import { selectTraderFigures, TRADER_FIGURES } from "../traders/trader-figures.ts";
import type { RankedCursor, RankedPage } from "../trades/leaderboard.ts";

/** A trader's current position in one outcome. */
const Holding = z.object({
  outcome_index: z.union([z.literal(0), z.literal(1)]),
  outcome_label: z.string().nullable(),
  token_id: z.string(),
  shares_micro: bigintText,
  cost_micro: bigintText,
  /** A fraction 0 to 1; null, like the value, while the outcome has no price. */
  price: z.string().nullable(),
  /** The price of the market's first outcome. */
  first_price: z.string().nullable(),
  value_micro: bigintText.nullable(),
});

export type LargeHolding = z.output<typeof Holding>;

const LargePositionRow = z.object({
  rank: integer,
  trader_id: integer,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES),
  ...TRADER_FIGURES,
  market_id: integer,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  /** The most valuable first; positions without a price last. */
  holdings: z.array(Holding).min(1),
  first_seen_at: z.string(),
  updated_at: z.string(),
  /**
   * Number of the trader's listed positions in markets of the same event whose largest outcome is on the same
   * side, including this one.
   */
  legs: integer,
  /** Total value of those positions; null when one of their outcomes has no price. */
  legs_value_micro: bigintText.nullable(),
});

export type LargePositionRow = z.output<typeof LargePositionRow>;

export interface LargePositionFilters {
  readonly minSizeUsd: number;
  /** In lower case; null accepts all, an empty list accepts none. */
  readonly categories: readonly string[] | null;
  readonly grades: readonly string[];
  readonly market: MarketRef | null;
}

/** A position is listed for this long after the scan last saw it. */
const SEEN_HOURS = 24;

const e = alias(largePositionEntries, "e");
const page = alias(largePositionEntries, "page");
const leg = alias(largePositionEntries, "leg");

function buildCondition({ minSizeUsd, categories, grades, market }: LargePositionFilters, now: Date): SQL {
  return allOf([
    sql`${e.lastSeenAt} > ${timestamp(now)} - make_interval(hours => ${SEEN_HOURS})`,
    sql`${e.valueMicro} >= ${moneyBound(minSizeUsd)}`,
    inArray(e.grade, grades),
    categories === null ? null : inArray(sql`lower(${e.category})`, [...categories]),
    market === null ? null : sql`${e.marketId} = (select ${m.id} from ${m} where ${isMarket(market)})`,
    IS_STILL_OPEN,
  ]);
}

/**
 * The position of entry `e` has not settled or been sold since the generation was built. A scalar subquery
 * stays a lookup, whatever the other conditions are.
 */
const IS_STILL_OPEN = sql`(select true from ${p} where ${p.marketId} = ${e.marketId} and ${p.traderId} = ${e.traderId}
  and ${isOpen(p)} limit 1)`;

/**
 * The current positions of an entry's trader in its market, at current prices: `holdings`, the most valuable
 * first and those without a price last; `value_micro`, null when one has no price; `moved_at`, when they last
 * changed.
 */
const selectCurrentPositions = (entry: typeof e, now: Date): SQL => sql`
  select jsonb_agg(jsonb_build_object('outcome_index', ${o.outcomeIndex}, 'outcome_label', ${o.label},
      'token_id', ${o.tokenId}, 'shares_micro', ${p.sharesMicro}::text, 'cost_micro', ${p.costMicro}::text,
      'price', worth.price::text, 'first_price', worth.first_price::text,
      'value_micro', worth.value_micro::text)
      order by worth.value_micro desc nulls last, ${o.outcomeIndex}) as holdings,
    case when bool_and(worth.value_micro is not null) then sum(worth.value_micro)::bigint end as value_micro,
    max(${p.lastAt}) as moved_at
  from (select * from ${m} where ${m.id} = ${entry.marketId} offset 0) m
  cross join lateral (select * from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} in (0, 1) offset 0) o
  cross join lateral (select * from ${p} where ${p.traderId} = ${entry.traderId} and ${p.outcomeId} = ${o.id}
    and ${isOpen(p)} offset 0) p
  cross join lateral (
    select ${priceAt(now)} as price, ${valueAt(now, p.sharesMicro)} as value_micro,
      (select ${priceAt(now, yes)} from ${yes}
        where ${yes.marketId} = ${m.id} and ${yes.outcomeIndex} = 0) as first_price
  ) worth`;

/**
 * The listed positions of the trader of `page` in the same event whose largest outcome is on the same side:
 * `count`, and `value_micro`, null when one of them has no price.
 */
const countLegs = (now: Date): SQL => sql`
  select count(*) as count, case when bool_and(held.value_micro is not null)
    then sum(held.value_micro)::bigint end as value_micro
  from ${leg} cross join lateral (${selectCurrentPositions(leg, now)}) held
  where held.holdings is not null and ${leg.generation} = ${page.generation} and ${leg.traderId} = ${page.traderId}
    and (${leg.marketId} = ${page.marketId}
      or (${leg.eventId} = ${page.eventId}
        and ${leg.holdings} -> 0 -> 'outcome_index' = ${page.holdings} -> 0 -> 'outcome_index'))`;

/**
 * The rows of the CTE `page` as JSON: `rank` and `entry`. The fences ("offset 0") keep each join a lookup, in
 * the written order.
 */
const selectEntries = (now: Date): SQL => sql`
  select ${page.rank}, jsonb_build_object('rank', ${page.rank}, 'trader_id', ${page.traderId}, 'address', ${t.address},
    'username', ${t.username}, 'grade', ${page.grade},
    'figures', (select f.figures from figures f where f.trader_id = ${page.traderId}), 'market_id', ${page.marketId},
    'condition_id', ${m.conditionId}, 'title', ${m.title}, 'slug', ${m.slug},
    'event_slug', (select ${ev.slug} from ${ev} where ${ev.id} = ${page.eventId}), 'category', ${page.category},
    'holdings', held.holdings, 'first_seen_at', ${isoText(page.firstSeenAt)},
    'updated_at', ${isoText(sql`greatest(${page.updatedAt}, held.moved_at)`)},
    'legs', legs.count, 'legs_value_micro', legs.value_micro::text) as entry
  from page
  cross join lateral (select ${t.address}, ${t.username} from ${t} where ${t.id} = ${page.traderId} offset 0) t
  cross join lateral (select ${m.conditionId}, ${m.title}, ${m.slug} from ${m}
    where ${m.id} = ${page.marketId} offset 0) m
  cross join lateral (${selectCurrentPositions(page, now)}) held
  cross join lateral (${countLegs(now)}) legs`;

/**
 * A page of large positions, from the newest generation or from the one in the cursor. Grades are those of
 * the generation, so that pagination returns every row once; a changed grade creates a new generation. Rows
 * and order come from the generation, which has at most a few thousand rows; shares and values are current.
 * Positions that have settled or been sold since are omitted.
 *
 * @returns null when that generation does not exist (any more)
 */
export async function listLargePositions(
  db: Database,
  filters: LargePositionFilters,
  { cursor, limit }: PageRequest<RankedCursor>,
  now: Date,
): Promise<RankedPage<LargePositionRow> | null> {
  const listed = sql`${e} where ${e.generation} = g.id and ${buildCondition(filters, now)}`;
  // The fences ("offset 0") keep each join a lookup and save Postgres from planning the join order.
  const rows = await selectRows(
    db,
    sql`with g as materialized (${selectGeneration("large_positions", cursor?.generation ?? null)}),
      page as materialized (
        select e.* from g cross join lateral (
          select e.* from ${listed} and ${e.rank} > ${cursor?.rank ?? 0} order by ${e.rank} limit ${limit + 1}
        ) e
      ), figures as materialized (${selectTraderFigures(sql`page`, now)}), entries as (${selectEntries(now)})
      select to_jsonb(g) as generation, entries.entry,
        (select count(*) from g cross join lateral (select from ${listed} offset 0) e) as total
      from g left join entries on true order by entries.rank`,
    z.object({ generation: GenerationRow, entry: LargePositionRow.nullable(), total: integer }),
  );
  const first = rows[0];
  return first === undefined
    ? null
    : { generation: first.generation, total: first.total, rows: rows.flatMap(({ entry }) => entry ?? []) };
}
