import { inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { LARGE_TRADES_AS_OF } from "../../db/coverage.ts";
import { flowEntries } from "../../db/schema.ts";
import { alias, bigintText, integer, isoText, selectRows } from "../../db/sql.ts";
import type { FlowWindow } from "../../domain/markets/flow-windows.ts";
import type { Grade } from "../../domain/traders/grades.ts";
import type { Direction } from "../../scoring/signals/trade-direction.ts";
import { GenerationRow, selectGeneration } from "../list-generations.ts";
import type { PageRequest } from "../page-request.ts";

const entry = alias(flowEntries, "e");

export const FlowRow = z.object({
  market_id: integer,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  category: z.string().nullable(),
  /** YES minus NO. */
  net_micro: bigintText,
  /** YES when the net is 0, only as a tie-break. */
  direction: z.enum(["YES", "NO"]),
  /** Token of the direction's outcome; null while unknown. */
  token_id: z.string().nullable(),
  /** Gross, both outcomes together. */
  buy_micro: bigintText,
  sell_micro: bigintText,
  trade_count: integer,
  wallet_count: integer,
});

export type FlowRow = z.output<typeof FlowRow>;

export interface FlowFilters {
  readonly window: FlowWindow;
  /** Grades that are included in the flow. */
  readonly grades: readonly Grade[];
  /** Already normalised to our spelling. */
  readonly category: string | null;
  readonly direction: Direction | null;
}

/** The last row of a page: the absolute net in micro-dollars, and the market. */
export interface FlowCursor {
  readonly generation: number;
  readonly absNetMicro: string;
  readonly conditionId: string;
}

export interface FlowPage {
  /** Built when its content last changed; its window ends at that time. */
  readonly generation: GenerationRow;
  /** One more than the limit when there is a next page. */
  readonly rows: FlowRow[];
  /** Number of markets that pass the filters. */
  readonly total: number;
  /** When the taker feed was last read; null before the first time, and the list is then meaningless. */
  readonly feedReadAt: string | null;
}

/** Sums of micro-dollars may not fit a JSON number, so they are returned as text. */
export function flowAsJson(flow: string): SQL {
  const row = sql.identifier(flow);
  return sql`to_jsonb(${row}) || jsonb_build_object('net_micro', ${row}.net_micro::text,
    'buy_micro', ${row}.buy_micro::text, 'sell_micro', ${row}.sell_micro::text)`;
}

/** The direction of a net: NO only below 0. */
export const directionSql = (net: SQL): SQL => sql`case when ${net} < 0 then 'NO' else 'YES' end`;

/** The token of the direction of a net in market `m`. */
export const directionTokenSql = (net: SQL): SQL =>
  sql`(select ${o.tokenId} from ${o} where ${o.marketId} = ${m.id}
    and ${o.outcomeIndex} = case when ${net} < 0 then 1 else 0 end)`;

/**
 * Lists markets by absolute net flow, largest first, then by condition id, from the newest generation or the
 * one in the cursor. The net is summed for every market of the generation; everything else is read for the
 * page only.
 *
 * @returns null when that generation does not exist (any more)
 */
export async function listFlows(
  db: Database,
  { window, grades, category, direction }: FlowFilters,
  page: PageRequest<FlowCursor>,
): Promise<FlowPage | null> {
  const { limit } = page;
  const cursor = page.cursor;
  const isCounted = sql`${entry.generation} = (select id from g) and ${inArray(entry.grade, grades)}`;
  // A scalar subquery per row: for a join, Postgres would read all markets for the few thousand of a
  // generation.
  const hasCategory =
    category === null
      ? sql`true`
      : sql`(select lower(${m.category}) from ${m} where ${m.id} = s.market_id) = lower(${category})`;
  const onSide = direction === null ? sql`true` : direction === "NO" ? sql`s.net_micro < 0` : sql`s.net_micro >= 0`;
  const conditionId = sql`(select ${m.conditionId} collate "C" from ${m} where ${m.id} = p.market_id)`;
  const after =
    cursor === null
      ? sql`true`
      : sql`(p.size < ${cursor.absNetMicro}::bigint
          or (p.size = ${cursor.absNetMicro}::bigint and ${conditionId} > ${cursor.conditionId}))`;
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration(`flows:${window}`, cursor?.generation ?? null)}), sums as (
        select ${entry.marketId}, sum(${entry.netMicro})::bigint as net_micro from ${entry} where ${isCounted}
          group by ${entry.marketId}
      ), passing as materialized (
        select s.market_id, s.net_micro, abs(s.net_micro) as size from sums s where ${onSide} and ${hasCategory}
      ), nearest as (
        select * from passing p where ${after} order by p.size desc fetch first ${limit + 1} rows with ties
      ), page as (
        select n.*, ${m.conditionId}, ${m.title}, ${m.slug}, ${m.category},
          ${directionSql(sql`n.net_micro`)} as direction, ${directionTokenSql(sql`n.net_micro`)} as token_id
        from nearest n join ${m} on ${m.id} = n.market_id
        order by n.size desc, ${m.conditionId} collate "C" limit ${limit + 1}
      ), complete as (
        select page.*, gross.* from page cross join lateral (
          select sum(${entry.buyMicro}) as buy_micro, sum(${entry.sellMicro}) as sell_micro,
            sum(${entry.tradeCount}) as trade_count, sum(${entry.walletCount}) as wallet_count
          from ${entry} where ${isCounted} and ${entry.marketId} = page.market_id
        ) gross
      )
      select to_jsonb(g) as generation, ${flowAsJson("complete")} as flow, (select count(*) from passing) as total,
        ${isoText(LARGE_TRADES_AS_OF)} as feed_read_at
      from g left join complete on true order by complete.size desc, complete.condition_id collate "C"`,
    z.object({
      generation: GenerationRow,
      flow: FlowRow.nullable(),
      total: integer,
      feed_read_at: z.string().nullable(),
    }),
  );
  const [first] = rows;
  if (first === undefined) return null;
  const { generation, total, feed_read_at: feedReadAt } = first;
  return { generation, total, feedReadAt, rows: rows.flatMap((row) => row.flow ?? []) };
}
