import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { count, selectRows } from "../rows.ts";
import { everybodys } from "./everybodys.ts";
import { CANDIDATE, heldBy, isEverybodys, listed, nameTables, type PositionFilters, type PositionPlace } from "./filters.ts";
import { CLOCKS, pageTables, PositionClocks, PositionRow } from "./rows.ts";

/** A list with more rows than this is not counted, and one over everybody that would have to look at more. */
export const MOST_COUNTED = 5_000;

export interface PositionPage {
  /** The first of the named wallets that nobody is, counted from 0; null when all are known. Nothing is listed while there is one. */
  readonly unknownWallet: number | null;
  /** One more than asked when the page is full and there is a next. */
  readonly rows: PositionRow[];
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
        entries.entry
      from (select) one left join entries on ${allKnown} order by entries.n`,
    z.object({
      unknown_wallet: count.nullable(),
      clocks: PositionClocks,
      total: count.nullable(),
      entry: PositionRow.nullable(),
    }),
  );
  const first = rows[0];
  return {
    unknownWallet: first?.unknown_wallet ?? null,
    rows: rows.flatMap(({ entry }) => entry ?? []),
    total: first?.total ?? null,
    clocks: first?.clocks ?? { feed_read_at: null, valued_at: null },
  };
}

export const unknownWallet = sql`(select min(place) - 1 from named where trader_id is null)`;
export const allKnown = sql`not exists (select from named where trader_id is null)`;

/** How many rows the whole list has; null when that would mean to look at too many. */
export function totalOf(filters: PositionFilters): SQL {
  const counted = (candidates: SQL) => sql`(select count(*) from (
    select from (${candidates}) p ${listed(filters, null)} limit ${MOST_COUNTED + 1}) listed)`;
  if (!isEverybodys(filters)) return sql`nullif(${counted(heldBy(filters, null))}, ${MOST_COUNTED + 1})`;
  // In the index's order, without which the table itself would be read.
  const all = sql`${everybodys(filters, null)} order by p.value_micro desc`;
  return sql`case when not exists (select from ${all} offset ${MOST_COUNTED} limit 1)
    then ${counted(sql`select ${CANDIDATE} from ${all} limit ${MOST_COUNTED}`)} end`;
}
