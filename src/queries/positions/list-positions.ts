import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { count, selectRows } from "../rows.ts";
import { candidates, isWalk, listed, nameTables, walkEnd, type PositionFilters, type PositionPlace } from "./filters.ts";
import { CLOCKS, pageTables, PositionClocks, PositionRow } from "./rows.ts";

/** A list with more rows than this is not counted. */
const MOST_COUNTED = 5_000;

export interface PositionPage {
  /** The first of the named wallets that nobody is, counted from 0; null when all are known. Nothing is listed while there is one. */
  readonly unknownWallet: number | null;
  /** One more than asked when the page is full and there is a next. */
  readonly rows: PositionRow[];
  /** Where a page that is not full has stopped looking, with more behind it; null when it has seen everything. */
  readonly walkEndMicro: string | null;
  /** Rows of the whole list; null when there are too many to count. */
  readonly total: number | null;
  readonly clocks: PositionClocks;
}

/** A page of open positions that have a value, the most valuable first. */
export async function listPositions(
  db: Database,
  filters: PositionFilters,
  page: { place: PositionPlace | null; limit: number },
  now: Date,
): Promise<PositionPage> {
  const rows = await selectRows(
    db,
    sql`with ${nameTables(filters.wallets)}, ${pageTables(filters, page.place, page.limit + 1, now)}
      select ${unknownWallet} as unknown_wallet, ${CLOCKS} as clocks, ${totalOf(filters)} as total,
        ${isWalk(filters) ? sql`case when (select count(*) from page) <= ${page.limit} then ${walkEnd(filters, page.place)} end` : sql`null`} as walk_end,
        entries.entry
      from (select) one left join entries on ${allKnown} order by entries.n`,
    z.object({
      unknown_wallet: count.nullable(),
      clocks: PositionClocks,
      total: count.nullable(),
      walk_end: z.string().nullable(),
      entry: PositionRow.nullable(),
    }),
  );
  const first = rows[0];
  return {
    unknownWallet: first?.unknown_wallet ?? null,
    rows: rows.flatMap(({ entry }) => entry ?? []),
    walkEndMicro: first?.walk_end ?? null,
    total: first?.total ?? null,
    clocks: first?.clocks ?? { feed_read_at: null, valued_at: null },
  };
}

export const unknownWallet = sql`(select min(place) - 1 from named where trader_id is null)`;
export const allKnown = sql`not exists (select from named where trader_id is null)`;

/** How many rows the whole list has; null when that would mean to look at too many. */
export function totalOf(filters: PositionFilters): SQL {
  const counted = sql`(select count(*) from (
    select from (${candidates(filters, null)}) p ${listed(filters, null)} limit ${MOST_COUNTED + 1}) listed)`;
  if (!isWalk(filters)) return sql`nullif(${counted}, ${MOST_COUNTED + 1})`;
  return sql`case when ${walkEnd(filters, null)} is null then ${counted} end`;
}
