import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { LARGE_TRADES_READ_AT } from "../db/coverage.ts";
import type { FlowWindow } from "../domain/flow-windows.ts";
import type { Grade } from "../domain/grades.ts";
import type { Direction } from "../scoring/signals/trade-direction.ts";
import { GenerationRow, selectGeneration } from "./generations.ts";
import { big, count, iso, selectRows } from "./rows.ts";

export const FlowRow = z.object({
  market_id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  category: z.string().nullable(),
  /** YES less NO. */
  net_micro: big,
  /** YES at a net of 0, which is only a tie-break. */
  direction: z.enum(["YES", "NO"]),
  /** Of the direction's outcome; null while it is not known. */
  token_id: z.string().nullable(),
  /** Gross, both outcomes together. */
  buy_micro: big,
  sell_micro: big,
  trade_count: count,
  wallet_count: count,
});

export type FlowRow = z.output<typeof FlowRow>;

export interface FlowFilters {
  readonly window: FlowWindow;
  /** Grades counted into the flow. */
  readonly grades: readonly Grade[];
  /** Already folded to our spelling. */
  readonly category: string | null;
  readonly direction: Direction | null;
}

/** The last row of a page: the size of its net in micro-dollars, either way, and its market. */
export interface FlowPlace {
  readonly generation: number;
  readonly absNetMicro: string;
  readonly conditionId: string;
}

export interface FlowPage {
  /** Built when what it says last changed; its window ends there. */
  readonly generation: GenerationRow;
  /** One more than asked when there is a next page. */
  readonly rows: FlowRow[];
  /** Markets that pass the filters. */
  readonly total: number;
  /** When the takers' feed was last read; null before the first time, and the list then says nothing. */
  readonly feedReadAt: string | null;
}

/** Sums of micro-dollars may not fit a JSON number, so they travel as text. */
export const flowAsJson = (flow: string): SQL =>
  sql.raw(`to_jsonb(${flow}) || jsonb_build_object('net_micro', ${flow}.net_micro::text, 'buy_micro', ${flow}.buy_micro::text,
    'sell_micro', ${flow}.sell_micro::text)`);

/** Of a net: NO only below 0. */
export const directionOf = (net: SQL): SQL => sql`case when ${net} < 0 then 'NO' else 'YES' end`;

/** Token of the side that a net of the market `m` is on. */
export const tokenOf = (net: SQL): SQL =>
  sql`(select o.token_id from outcomes o where o.market_id = m.id and o.outcome_index = case when ${net} < 0 then 1 else 0 end)`;

/**
 * Markets by the size of their net flow, largest first, equal ones by condition id, of the newest generation or the one the place names. The
 * net of every market of the generation is summed; all else is read for the page alone.
 *
 * @returns null when there is no such generation (any more)
 */
export async function listFlows(
  db: Database,
  { window, grades, category, direction }: FlowFilters,
  { place, limit }: { readonly place: FlowPlace | null; readonly limit: number },
): Promise<FlowPage | null> {
  const counted = sql`e.generation = (select id from g) and e.grade in (${sql.join(
    grades.map((grade) => sql`${grade}`),
    sql`, `,
  )})`;
  // A look-up each: joined, all markets there are would be read for the few thousand of a generation.
  const ofCategory =
    category === null ? sql`true` : sql`(select lower(m.category) from markets m where m.id = s.market_id) = lower(${category})`;
  const onSide = direction === null ? sql`true` : direction === "NO" ? sql`s.net_micro < 0` : sql`s.net_micro >= 0`;
  const conditionId = sql`(select m.condition_id collate "C" from markets m where m.id = p.market_id)`;
  const after =
    place === null
      ? sql`true`
      : sql`(p.size < ${place.absNetMicro}::bigint or (p.size = ${place.absNetMicro}::bigint and ${conditionId} > ${place.conditionId}))`;
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration(`flows:${window}`, place?.generation ?? null)}), sums as (
        select e.market_id, sum(e.net_micro)::bigint as net_micro from flow_entries e where ${counted} group by e.market_id
      ), passing as materialized (
        select s.market_id, s.net_micro, abs(s.net_micro) as size from sums s where ${onSide} and ${ofCategory}
      ), nearest as (
        select * from passing p where ${after} order by p.size desc fetch first ${limit + 1} rows with ties
      ), page as (
        select n.*, m.condition_id, m.title, m.slug, m.category, ${directionOf(sql`n.net_micro`)} as direction,
          ${tokenOf(sql`n.net_micro`)} as token_id
        from nearest n join markets m on m.id = n.market_id
        order by n.size desc, m.condition_id collate "C" limit ${limit + 1}
      ), told as (
        select page.*, gross.* from page cross join lateral (
          select sum(e.buy_micro) as buy_micro, sum(e.sell_micro) as sell_micro, sum(e.trade_count) as trade_count,
            sum(e.wallet_count) as wallet_count
          from flow_entries e where ${counted} and e.market_id = page.market_id
        ) gross
      )
      select to_jsonb(g) as generation, ${flowAsJson("told")} as flow, (select count(*) from passing) as total,
        ${iso(LARGE_TRADES_READ_AT)} as feed_read_at
      from g left join told on true order by told.size desc, told.condition_id collate "C"`,
    z.object({ generation: GenerationRow, flow: FlowRow.nullable(), total: count, feed_read_at: z.string().nullable() }),
  );
  const [first] = rows;
  if (first === undefined) return null;
  const { generation, total, feed_read_at: feedReadAt } = first;
  return { generation, total, feedReadAt, rows: rows.flatMap((row) => row.flow ?? []) };
}
