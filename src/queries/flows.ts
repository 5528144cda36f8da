import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../domain/flow-windows.ts";
import type { Grade } from "../domain/grades.ts";
import type { Direction } from "../scoring/signals/trade-direction.ts";
import { GenerationRow, selectGeneration } from "./generations.ts";
import { allOf, big, count, iso, selectRows } from "./rows.ts";

const FlowRow = z.object({
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
}

const flowAsJson = (flow: string): SQL =>
  sql.raw(`to_jsonb(${flow}) || jsonb_build_object('net_micro', ${flow}.net_micro::text, 'buy_micro', ${flow}.buy_micro::text,
    'sell_micro', ${flow}.sell_micro::text)`);

const directionOf = (net: SQL): SQL => sql`case when ${net} < 0 then 'NO' else 'YES' end`;

const tokenOf = (net: SQL): SQL =>
  sql`(select o.token_id from outcomes o where o.market_id = m.id and o.outcome_index = case when ${net} < 0 then 1 else 0 end)`;

/**
 * Markets by the size of their net flow, largest first, equal ones by condition id, of the newest generation or the one the place names.
 *
 * @returns null when there is no such generation (any more)
 */
export async function listFlows(
  db: Database,
  { window, grades, category, direction }: FlowFilters,
  { place, limit }: { readonly place: FlowPlace | null; readonly limit: number },
): Promise<FlowPage | null> {
  const where = allOf([
    category === null ? null : sql`lower(m.category) = lower(${category})`,
    direction === null ? null : sql`${directionOf(sql`f.net_micro`)} = ${direction}`,
  ]);
  const after =
    place === null
      ? sql`true`
      : sql`(abs(net_micro) < ${place.absNetMicro}::numeric
          or (abs(net_micro) = ${place.absNetMicro}::numeric and condition_id collate "C" > ${place.conditionId}))`;
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration(`flows:${window}`, place?.generation ?? null)}), sums as (
        select e.market_id, sum(e.net_micro) as net_micro, sum(e.buy_micro) as buy_micro, sum(e.sell_micro) as sell_micro,
          sum(e.trade_count) as trade_count, sum(e.wallet_count) as wallet_count
        from g join flow_entries e on e.generation = g.id
        where e.grade in (${sql.join(
          grades.map((grade) => sql`${grade}`),
          sql`, `,
        )})
        group by e.market_id
      ), flows as (
        select f.*, m.condition_id, m.title, m.slug, m.category, ${directionOf(sql`f.net_micro`)} as direction
        from sums f join markets m on m.id = f.market_id where ${where}
      ), page as (
        select f.*, row_number() over (order by abs(net_micro) desc, condition_id collate "C") as place
        from flows f where ${after} order by place limit ${limit + 1}
      ), told as (
        select p.*, ${tokenOf(sql`p.net_micro`)} as token_id from page p join markets m on m.id = p.market_id
      )
      select to_jsonb(g) as generation, ${flowAsJson("told")} as flow, (select count(*) from flows) as total
      from g left join told on true order by told.place`,
    z.object({ generation: GenerationRow, flow: FlowRow.nullable(), total: count }),
  );
  const [first] = rows;
  return first === undefined ? null : { generation: first.generation, total: first.total, rows: rows.flatMap((row) => row.flow ?? []) };
}

export interface MarketFlowPage {
  readonly flow: FlowRow;
  /** When the trade feeds were last read; null before the first time, and the flow then says nothing. */
  readonly feedReadAt: string | null;
  /** From when on every trade is recorded; a window that begins before is known in part. */
  readonly completeFrom: string | null;
}

/** The flow of one market over the window that ends now: every large trade of a YES or NO, whoever made it. Null: no such market. */
export async function findMarketFlow(
  db: Database,
  ref: { readonly id: number } | { readonly conditionId: string },
  window: FlowWindow,
  now: Date,
): Promise<MarketFlowPage | null> {
  const which = "id" in ref ? sql`m.id = ${ref.id}` : sql`m.condition_id = ${ref.conditionId}`;
  const rows = await selectRows(
    db,
    sql`with flow as (
        select m.id as market_id, m.condition_id, m.title, m.slug, m.category, f.*, ${directionOf(sql`f.net_micro`)} as direction,
          ${tokenOf(sql`f.net_micro`)} as token_id
        from markets m cross join lateral (
          select coalesce(sum(case when (l.side = 'BUY') = (o.outcome_index = 0) then l.size_usd_micro else -l.size_usd_micro end), 0) as net_micro,
            coalesce(sum(l.size_usd_micro) filter (where l.side = 'BUY'), 0) as buy_micro,
            coalesce(sum(l.size_usd_micro) filter (where l.side = 'SELL'), 0) as sell_micro,
            count(*) as trade_count, count(distinct l.trader_id) as wallet_count
          from large_trades l join outcomes o on o.id = l.outcome_id
          where l.market_id = m.id and o.outcome_index in (0, 1)
            and not exists (select from outcomes x where x.market_id = m.id and x.outcome_index > 1)
            and l.traded_at > ${now.toISOString()}::timestamptz - make_interval(hours => ${FLOW_WINDOW_HOURS[window]}::int)
            and l.traded_at <= ${now.toISOString()}::timestamptz
        ) f where ${which}
      )
      select ${flowAsJson("flow")} as flow, (select ${iso(sql`min(traded_at)`)} from large_trades) as complete_from,
        (select ${iso(sql`max(updated_at)`)} from ingest_checkpoints where feed in ('trades:takers', 'trades:all')) as feed_read_at
      from flow`,
    z.object({ flow: FlowRow, complete_from: z.string().nullable(), feed_read_at: z.string().nullable() }),
  );
  const [row] = rows;
  return row === undefined ? null : { flow: row.flow, completeFrom: row.complete_from, feedReadAt: row.feed_read_at };
}
