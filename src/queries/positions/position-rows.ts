import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ev, m, o, p, s, t, totals } from "../../db/aliases.ts";
import { FILLS_AS_OF } from "../../db/coverage.ts";
import { jobHeartbeats } from "../../db/schema.ts";
import { bigintText, integer, isoText } from "../../db/sql.ts";
import { TIERS } from "../../domain/traders/tracking.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { MarketPhase, phaseAt, valueAt } from "../markets/market-status.ts";
import { selectTraderFigures, TRADER_FIGURES } from "../traders/trader-figures.ts";
import { HAS_KNOWN_HISTORY, type PositionListCursor } from "./filters.ts";
import type { ListQuery } from "./list-query.ts";

/** One open position of a list. Amounts are micro-units. */
export const PositionRow = z.object({
  trader_id: integer,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
  tier: z.enum(TIERS),
  /** The earliest record of the trader: its first activity, or when we first saw it. */
  first_recorded_at: z.string(),
  /** When the trader's positions were last known to follow from its whole activity; null when they do not. */
  reconciled_at: z.string().nullable(),
  ...TRADER_FIGURES,
  market_id: integer,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  end_at: z.string().nullable(),
  outcome_index: z.union([z.literal(0), z.literal(1)]),
  outcome_label: z.string().nullable(),
  token_id: z.string(),
  /** Time of the last ledger entry of the position. */
  last_at: z.string(),
  phase: MarketPhase,
  shares_micro: bigintText,
  cost_micro: bigintText,
  /** At the current price; null when there is no price any more. */
  value_micro: bigintText.nullable(),
  /** The value by which the list is ordered: at the price of the last valuation run. */
  listed_value_micro: bigintText,
  realized_micro: bigintText,
  fees_micro: bigintText,
  /** Shares removed without a recorded acquisition: the realized profit of the position is then unknown. */
  unmatched_shares_micro: bigintText,
});

export type PositionRow = z.output<typeof PositionRow>;

/**
 * CTEs of a page: `page` (the listed positions, ordered by `n`), `holders` (each `trader_id` of the page,
 * with its part of a row as JSON) and `entries` (`n`, `trader_id`, and the rest of the row as JSON, big
 * numbers as text). Data that is only displayed is looked up after the limit, for the page only. The fences
 * ("offset 0") save Postgres from planning the join order.
 */
export const pageTables = (query: ListQuery, cursor: PositionListCursor | null, rows: number, now: Date): SQL => sql`
  ${query.passing(cursor, rows)}, page as materialized (
    select row_number() over (order by value_micro desc, address, condition_id, outcome_index) as n, passing.*
      from passing
    order by n limit ${rows}
  ), figures as materialized (${selectTraderFigures(sql`page`, now)}),
  holders as materialized (${selectHolders}), entries as materialized (${selectEntries(now)})`;

const selectHolders: SQL = sql`
  select w.trader_id, jsonb_build_object('address', ${t.address}, 'username', ${t.username}, 'grade', ${t.grade},
    'tier', ${t.tier},
    'first_recorded_at', ${isoText(sql`least(${t.firstSeenAt}, (select ${totals.firstAt} from ${totals}
      where ${totals.traderId} = ${t.id}))`)},
    'reconciled_at', (select ${isoText(s.completeAt)} from ${s} where ${s.traderId} = ${t.id} and ${HAS_KNOWN_HISTORY}),
    'figures', (select f.figures from figures f where f.trader_id = ${t.id})) as holder
  from (select distinct trader_id from page) w
  cross join lateral (select * from ${t} where ${t.id} = w.trader_id offset 0) t`;

const selectEntries = (now: Date): SQL => sql`
  select page.n, page.trader_id, json_build_object('trader_id', page.trader_id, 'market_id', page.market_id,
    'condition_id', page.condition_id, 'title', ${m.title}, 'slug', ${m.slug},
    'event_slug', (select ${ev.slug} from ${ev} where ${ev.id} = ${m.eventId}), 'category', ${m.category},
    'end_at', ${isoText(m.endAt)},
    'outcome_index', page.outcome_index, 'outcome_label', ${o.label}, 'token_id', ${o.tokenId},
    'last_at', ${isoText(p.lastAt)}, 'phase', ${phaseAt(now)}, 'shares_micro', ${p.sharesMicro}::text,
    'cost_micro', ${p.costMicro}::text,
    'value_micro', (${valueAt(now, p.sharesMicro)})::text, 'listed_value_micro', page.value_micro::text,
    'realized_micro', ${p.realizedMicro}::text, 'fees_micro', ${p.feesMicro}::text,
    'unmatched_shares_micro', ${p.unmatchedSharesMicro}::text) as entry
  from page
  cross join lateral (select * from ${p} where ${p.traderId} = page.trader_id
    and ${p.outcomeId} = page.outcome_id offset 0) p
  cross join lateral (select * from ${o} where ${o.id} = page.outcome_id offset 0) o
  cross join lateral (select * from ${m} where ${m.id} = page.market_id offset 0) m`;

/**
 * The as-of times of position lists, as JSON: when the feed of all fills was last read, and when the
 * valuation job last had nothing left to do.
 */
export const CLOCKS = sql`jsonb_build_object(
  'feed_read_at', ${isoText(FILLS_AS_OF)}, 'valued_at', (select ${isoText(jobHeartbeats.succeededAt)}
    from ${jobHeartbeats} where ${jobHeartbeats.job} = 'value_positions'))`;

export const PositionClocks = z.object({ feed_read_at: z.string().nullable(), valued_at: z.string().nullable() });

export type PositionClocks = z.output<typeof PositionClocks>;
