import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { integer, selectRows } from "../../db/sql.ts";
import type { PageRequest } from "../page-request.ts";
import type { PositionFilters, PositionListCursor } from "./filters.ts";
import { listQueryOf } from "./list-query-of.ts";
import type { ListQuery } from "./list-query.ts";
import { ARE_ALL_TRADERS_KNOWN, FIRST_UNKNOWN_TRADER } from "./named-traders.ts";
import { CLOCKS, pageTables, PositionClocks, PositionRow } from "./position-rows.ts";
import { countUnlisted, Unlisted } from "./unlisted.ts";

/** A list with more candidates than this is not counted. */
export const MAX_COUNTED = 1_000;

export interface PositionPage {
  /**
   * Index of the first requested trader that does not exist, from 0; null when all exist. Otherwise nothing
   * is listed.
   */
  readonly unknownTraderIndex: number | null;
  /** One more than the limit when there is a next page. */
  readonly rows: PositionRow[];
  /** Number of rows of the whole list; null when there are too many to count. */
  readonly total: number | null;
  /** Null where the list only contains positions with known values. */
  readonly unlisted: Unlisted | null;
  readonly clocks: PositionClocks;
}

/** A page of open positions with a value, the most valuable first. */
export async function listPositions(
  db: Database,
  filters: PositionFilters,
  page: PageRequest<PositionListCursor>,
  now: Date,
): Promise<PositionPage> {
  const query = listQueryOf(filters);
  const hasTraders = filters.traders !== null;
  const rows = await selectRows(
    db,
    sql`with ${pageTables(query, page.cursor, page.limit + 1, now)}
      select ${hasTraders ? FIRST_UNKNOWN_TRADER : sql`null`} as unknown_trader, ${CLOCKS} as clocks,
        ${selectTotal(query)} as total, ${countUnlisted(query)} as unlisted,
        (select holder from holders where trader_id = entries.trader_id) || entries.entry::jsonb as entry
      from (select) one left join entries on ${hasTraders ? ARE_ALL_TRADERS_KNOWN : sql`true`} order by entries.n`,
    z.object({
      unknown_trader: integer.nullable(),
      clocks: PositionClocks,
      total: integer.nullable(),
      unlisted: Unlisted.nullable(),
      entry: PositionRow.nullable(),
    }),
  );
  const first = rows[0];
  return {
    unknownTraderIndex: first?.unknown_trader ?? null,
    rows: rows.flatMap(({ entry }) => entry ?? []),
    total: first?.total ?? null,
    unlisted: first?.unlisted ?? null,
    clocks: first?.clocks ?? { feed_read_at: null, valued_at: null },
  };
}

/**
 * The number of rows of the whole list; null when too many candidates would have to be read. Requires the
 * CTEs of `passing`.
 */
export const selectTotal = ({ candidates, listedJoins }: ListQuery): SQL => sql`(
  with few as materialized (${candidates(MAX_COUNTED + 1)})
  select case when (select count(*) from few) <= ${MAX_COUNTED} then (select count(*) from few p ${listedJoins}) end)`;
