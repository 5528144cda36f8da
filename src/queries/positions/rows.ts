import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { FILLS_READ_AT } from "../../db/coverage.ts";
import { GRADES } from "../../domain/grades.ts";
import { MarketPhase, phaseAt, valueAt } from "../market-status.ts";
import { big, count, iso } from "../rows.ts";
import { selectWalletFigures, WALLET_FIGURES } from "../wallet-figures.ts";
import { IS_WHOLE, type PositionPlace } from "./filters.ts";
import type { ListForm } from "./list-form.ts";

/** One open position as a list shows it. Amounts are micro-units. */
export const PositionRow = z.object({
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
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
  /** When the last entry that moved it was made. */
  last_at: z.string(),
  phase: MarketPhase,
  shares_micro: big,
  cost_micro: big,
  /** At the price of the moment; null when there is none any more. */
  value_micro: big.nullable(),
  /** As the list is ordered by it: at the price of the last round of valuing. */
  listed_value_micro: big,
  realized_micro: big,
  fees_micro: big,
  /** Shares that left it without having been seen to come: its realized profit is not known. */
  unmatched_shares_micro: big,
});

export type PositionRow = z.output<typeof PositionRow>;

/**
 * Common table expressions of a page: `page` (what is listed, in order by `n`), `holders` (each `trader_id` of the page, and as JSON what a row has of
 * it) and `entries` (`n`, `trader_id`, and the rest of the row as JSON, big numbers as text). What is only shown is looked up after the limit, for
 * the page alone; the fences ("offset 0") leave Postgres no order of joins to plan.
 */
export const pageTables = (form: ListForm, place: PositionPlace | null, rows: number, now: Date): SQL => sql`
  ${form.passing(place, rows)}, page as materialized (
    select row_number() over (order by value_micro desc, address, condition_id, outcome_index) as n, passing.* from passing
    order by n limit ${rows}
  ), figures as materialized (${selectWalletFigures(sql`page`, now)}),
  holders as materialized (
    select w.trader_id, jsonb_build_object('address', t.address, 'username', t.username, 'grade', t.grade, 'tier', t.tier,
      'first_recorded_at', ${iso(sql`least(t.first_seen_at, (select tt.first_at from trader_totals tt where tt.trader_id = t.id))`)},
      'reconciled_at', (select ${iso(sql`s.complete_at`)} from wallet_syncs s where s.trader_id = t.id and ${IS_WHOLE}),
      'figures', (select f.figures from figures f where f.trader_id = t.id)) as holder
    from (select distinct trader_id from page) w cross join lateral (select * from traders where id = w.trader_id offset 0) t
  ), entries as materialized (
    select page.n, page.trader_id, json_build_object('trader_id', page.trader_id, 'market_id', page.market_id,
      'condition_id', page.condition_id, 'title', m.title, 'slug', m.slug,
      'event_slug', (select e.slug from provider_events e where e.id = m.event_id), 'category', m.category, 'end_at', ${iso(sql`m.end_at`)},
      'outcome_index', page.outcome_index, 'outcome_label', o.label, 'token_id', o.token_id,
      'last_at', ${iso(sql`p.last_at`)}, 'phase', ${phaseAt(now)}, 'shares_micro', p.shares_micro::text, 'cost_micro', p.cost_micro::text,
      'value_micro', (${valueAt(now, "p.shares_micro")})::text, 'listed_value_micro', page.value_micro::text,
      'realized_micro', p.realized_micro::text, 'fees_micro', p.fees_micro::text,
      'unmatched_shares_micro', p.unmatched_shares_micro::text) as entry
    from page
    cross join lateral (select * from positions p where p.trader_id = page.trader_id and p.outcome_id = page.outcome_id offset 0) p
    cross join lateral (select * from outcomes where id = page.outcome_id offset 0) o
    cross join lateral (select * from markets where id = page.market_id offset 0) m
  )`;

/** What the lists of positions rest on, as JSON: when the feed of all fills was last read, and when the last round of valuing found nothing to do. */
export const CLOCKS = sql`jsonb_build_object(
  'feed_read_at', ${iso(FILLS_READ_AT)},
  'valued_at', (select ${iso(sql`succeeded_at`)} from job_heartbeats where job = 'values'))`;

export const PositionClocks = z.object({ feed_read_at: z.string().nullable(), valued_at: z.string().nullable() });

export type PositionClocks = z.output<typeof PositionClocks>;
