import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { count, selectRows } from "../rows.ts";
import type { PositionFilters, PositionPlace } from "./filters.ts";
import { formOf } from "./form-of.ts";
import type { ListForm } from "./list-form.ts";
import { ALL_KNOWN, UNKNOWN_WALLET } from "./named-wallets.ts";
import { CLOCKS, pageTables, PositionClocks, PositionRow } from "./rows.ts";
import { countUnlisted, Unlisted } from "./unlisted.ts";

/** A list for which more positions than this would have to be looked at is not counted. */
export const MOST_COUNTED = 1_000;

export interface PositionPage {
  /** The first of the named wallets that nobody is, counted from 0; null when all are known. Nothing is listed while there is one. */
  readonly unknownWallet: number | null;
  /** One more than asked when the page is full and there is a next. */
  readonly rows: PositionRow[];
  /** Rows of the whole list; null when there are too many to count. */
  readonly total: number | null;
  /** Null where the list is of known values by its nature. */
  readonly unlisted: Unlisted | null;
  readonly clocks: PositionClocks;
}

/** A page of open positions that have a value, the most valuable first. */
export async function listPositions(
  db: Database,
  filters: PositionFilters,
  page: { place: PositionPlace | null; limit: number },
  now: Date,
): Promise<PositionPage> {
  const form = formOf(filters);
  const isNamed = filters.wallets !== null;
  const rows = await selectRows(
    db,
    sql`with ${pageTables(form, page.place, page.limit + 1, now)}
      select ${isNamed ? UNKNOWN_WALLET : sql`null`} as unknown_wallet, ${CLOCKS} as clocks, ${totalOf(form)} as total, ${countUnlisted(form)} as unlisted,
        (select holder from holders where trader_id = entries.trader_id) || entries.entry::jsonb as entry
      from (select) one left join entries on ${isNamed ? ALL_KNOWN : sql`true`} order by entries.n`,
    z.object({
      unknown_wallet: count.nullable(),
      clocks: PositionClocks,
      total: count.nullable(),
      unlisted: Unlisted.nullable(),
      entry: PositionRow.nullable(),
    }),
  );
  const first = rows[0];
  return {
    unknownWallet: first?.unknown_wallet ?? null,
    rows: rows.flatMap(({ entry }) => entry ?? []),
    total: first?.total ?? null,
    unlisted: first?.unlisted ?? null,
    clocks: first?.clocks ?? { feed_read_at: null, valued_at: null },
  };
}

/** How many rows the whole list has; null when that would mean to look at too many. To be read beside the form's `passing`. */
export const totalOf = ({ candidates, listed }: ListForm): SQL => sql`(
  with few as materialized (${candidates(MOST_COUNTED + 1)})
  select case when (select count(*) from few) <= ${MOST_COUNTED} then (select count(*) from few p ${listed}) end)`;
