import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { isCombination } from "../../db/completeness.ts";
import { isMarket, type MarketRef } from "../market-ref.ts";
import { allOf, big, count } from "../rows.ts";
import { UNSETTLED, type PositionFilters } from "./filters.ts";
import type { ListForm } from "./list-form.ts";

/** Positions that are held and no rows of the list are counted up to here. */
export const MOST_UNLISTED = 1_000;

/** Open positions that match a list's filters and are no rows of it: they have no value, or belong to no YES or NO of an ordinary market. */
export const Unlisted = z.object({
  /** Null when they are too many to count. */
  count: count.nullable(),
  /** What they cost together; null also when the whole activity of one of their wallets is not known. */
  cost_micro: big.nullable(),
});

export type Unlisted = z.output<typeof Unlisted>;

/** As JSON; null for a list that is not asked. To be read beside the form's `passing`. */
export const countUnlisted = ({ unlisted }: ListForm): SQL =>
  unlisted === null
    ? sql`null::jsonb`
    : sql`(
        with gone as materialized (${unlisted} limit ${MOST_UNLISTED + 1})
        select case when count(*) > ${MOST_UNLISTED} then jsonb_build_object('count', null, 'cost_micro', null)
          else jsonb_build_object('count', count(*), 'cost_micro',
            case when bool_and(is_known) is not false then coalesce(sum(cost_micro), 0)::text end) end
        from gone)`;

const COLUMNS = sql`p.outcome_id, p.value_micro, p.cost_micro`;

/**
 * All open positions of `holders`, a select of trader ids, those without a value first.
 *
 * Of a wallet that holds more than are counted the rest is not looked at: whatever has no value comes off the index before them.
 */
export const heldBy = (holder: SQL, market: MarketRef | null): SQL =>
  market === null
    ? sql`(select ${COLUMNS} from positions p where p.trader_id = ${holder} and ${UNSETTLED}
        order by p.value_micro desc limit ${MOST_UNLISTED + 1})`
    : sql`(select ${COLUMNS} from (${outcomesNamed(market)}) x join positions p on p.outcome_id = x.id
        where p.trader_id = ${holder} and ${UNSETTLED} offset 0)`;

/** Open positions in the market that have no value, and all of a combination. */
export const heldIn = (market: MarketRef): SQL => sql`(
  select p.trader_id, ${COLUMNS} from (${outcomesNamed(market)}) x cross join lateral (
    select * from positions p where p.outcome_id = x.id and ${UNSETTLED} and p.value_micro is null
    union all
    select * from positions p where x.is_combination and p.outcome_id = x.id and ${UNSETTLED} and p.value_micro is not null
  ) p)`;

const outcomesNamed = (market: MarketRef): SQL => sql`
  select o.id, ${sql.raw(isCombination("m.condition_id"))} as is_combination from markets m join outcomes o on o.market_id = m.id
  where ${isMarket(market)} offset 0`;

/** Joins the outcome `o` and the market `m` of a position `p`; leaves those that a list cannot show. */
export const unlistable = ({ category, outcomeIndex }: PositionFilters): { readonly joined: SQL; readonly where: SQL } => ({
  joined: sql`cross join lateral (select o.market_id, o.outcome_index from outcomes o where o.id = p.outcome_id offset 0) o
    cross join lateral (select m.condition_id, m.category from markets m where m.id = o.market_id offset 0) m`,
  where: allOf([
    sql`(p.value_micro is null or coalesce(o.outcome_index not in (0, 1), true) or ${sql.raw(isCombination("m.condition_id"))})`,
    category === null ? null : sql`m.category = ${category}`,
    outcomeIndex === null ? null : sql`o.outcome_index = ${outcomeIndex}`,
  ]),
});
