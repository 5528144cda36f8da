import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { big, count, iso } from "../rows.ts";
import { selectWalletFigures, WALLET_FIGURES } from "../wallet-figures.ts";
import { everybodysTables } from "./everybodys.ts";
import { heldBy, isEverybodys, listed, NAMED, POSITION_ORDER, type PositionFilters, type PositionPlace } from "./filters.ts";

/** One open position as a list shows it. Amounts are micro-units. */
export const PositionRow = z.object({
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(["S", "A", "B", "C", "D", "F"]).nullable(),
  tier: z.enum(["hot", "warm", "cold"]),
  /** The earliest that is recorded of the wallet: its first activity, or when we first saw it. */
  first_recorded_at: z.string(),
  /** When the wallet's holdings were last known to follow from its whole activity; null while they do not. */
  reconciled_at: z.string().nullable(),
  ...WALLET_FIGURES,
  market_id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  end_at: z.string().nullable(),
  outcome_index: z.union([z.literal(0), z.literal(1)]),
  outcome_label: z.string().nullable(),
  token_id: z.string(),
  shares_micro: big,
  cost_micro: big,
  value_micro: big,
  realized_micro: big,
  fees_micro: big,
});

export type PositionRow = z.output<typeof PositionRow>;

/**
 * Common table expressions of a page: `page` (what is listed, in order by `n`) and `entries` (`n` and the row as JSON, big numbers as text). The
 * joins for show come after the limit, so that they are made for the page alone.
 */
export const pageTables = (filters: PositionFilters, place: PositionPlace | null, rows: number, now: Date): SQL => sql`
  ${passingTables(filters, place, rows)}, page as (
    select row_number() over (order by value_micro desc, address, condition_id, outcome_index) as n, passing.* from passing
    order by n limit ${rows}
  ), figures as materialized (${selectWalletFigures(sql`page`, now)}),
  entries as (
    select page.n, jsonb_build_object('trader_id', page.trader_id, 'address', page.address, 'username', t.username, 'grade', t.grade,
      'tier', t.tier, 'first_recorded_at', ${iso(sql`least(t.first_seen_at, tt.first_at)`)},
      'reconciled_at', case when s.gaps = '{}' then ${iso(sql`s.complete_at`)} end, 'figures', figures.figures,
      'market_id', page.market_id, 'condition_id', page.condition_id, 'title', m.title, 'slug', m.slug, 'event_slug', e.slug,
      'category', m.category, 'end_at', ${iso(sql`m.end_at`)}, 'outcome_index', page.outcome_index, 'outcome_label', o.label,
      'token_id', o.token_id, 'shares_micro', p.shares_micro::text, 'cost_micro', p.cost_micro::text,
      'value_micro', p.value_micro::text, 'realized_micro', p.realized_micro::text, 'fees_micro', p.fees_micro::text) as entry
    from page join positions p on p.trader_id = page.trader_id and p.outcome_id = page.outcome_id
    join traders t on t.id = page.trader_id join markets m on m.id = page.market_id join outcomes o on o.id = page.outcome_id
    left join provider_events e on e.id = m.event_id left join wallet_syncs s on s.trader_id = page.trader_id
    left join trader_totals tt on tt.trader_id = page.trader_id left join figures on figures.trader_id = page.trader_id
  )`;

/** Common table expression `passing`: what the filters let through, at least the first `rows` of it. */
const passingTables = (filters: PositionFilters, place: PositionPlace | null, rows: number): SQL =>
  isEverybodys(filters)
    ? sql`${everybodysTables(filters, place, rows)}, passing as (select * from near union all select * from far)`
    : sql`passing as (select ${NAMED} from (${heldBy(filters, place)}) p ${listed(filters, place)} order by ${POSITION_ORDER} limit ${rows})`;

/** What the lists of positions rest on, as JSON: when the trade feeds were last read, and when the last round of valuing found nothing to do. */
export const CLOCKS = sql`jsonb_build_object(
  'feed_read_at', (select ${iso(sql`max(updated_at)`)} from ingest_checkpoints where feed in ('trades:takers', 'trades:all')),
  'valued_at', (select ${iso(sql`succeeded_at`)} from job_heartbeats where job = 'values'))`;

export const PositionClocks = z.object({ feed_read_at: z.string().nullable(), valued_at: z.string().nullable() });

export type PositionClocks = z.output<typeof PositionClocks>;
