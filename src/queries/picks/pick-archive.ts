import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isoText, selectRow } from "../../db/sql.ts";
import { close, isWithdrawn, joinEveryOutcome, joinOutcome, k } from "../../db/fragments/picks.ts";
import { Outcome } from "./outcome-column.ts";

/** What statistics and access need of one pick or slot. */
const ArchivedPick = z.object({
  id: z.string(),
  date: z.string(),
  rank: z.number(),
  is_free: z.boolean(),
  published_at: z.string().nullable(),
  kickoff: z.string(),
  price: z.string(),
  outcome: Outcome,
  close_price: z.string().nullable(),
});

const ArchiveRow = ArchivedPick.extend({
  published_at: z.string(),
  matchup: z.string(),
  category: z.string(),
  league: z.string().nullable(),
  image: z.string().nullable(),
  outcome_label: z.string(),
  top_grade: z.enum(["S", "A"]),
  resolved_at: z.string().nullable(),
});

const Archive = z.object({ all: z.array(ArchivedPick), page: z.array(ArchiveRow) });

export type ArchivedPick = z.output<typeof ArchivedPick>;
export type ArchiveRow = z.output<typeof ArchiveRow>;

export interface ArchivePosition {
  readonly date: string;
  readonly rank: number;
}

/**
 * The archive of picks that are not withdrawn.
 *
 * @param after the last pick of the previous page; null for the first page
 * @returns `all`: every pick and slot, oldest first. `page`: published picks, newest day first, then by rank, one more
 *   than the limit where more follow
 */
export async function readPickArchive(
  db: Database,
  { after, limit }: { readonly after: ArchivePosition | null; readonly limit: number },
): Promise<z.output<typeof Archive>> {
  const row = await selectRow(db, selectArchive(after, limit), Archive);
  if (row === null) throw new Error("the pick archive returned no row");
  return row;
}

const COLUMNS = sql`${k.id}::text as id, ${k.pickDate}::text as date, ${k.rank}, ${k.isFree},
  ${isoText(k.publishedAt)} as published_at, ${isoText(k.kickoff)} as kickoff, ${k.backedPrice}::text as price, settled.outcome,
  ${close.price}::text as close_price`;

const SOURCE = sql`from ${k} left join ${close} on ${close.pickId} = ${k.id}`;

const selectArchive = (after: ArchivePosition | null, limit: number): SQL => sql`
  select (
      select coalesce(json_agg(a order by a.date, a.rank), '[]')
      from (select ${COLUMNS} ${SOURCE} ${joinEveryOutcome} where not ${isWithdrawn(k.id)}) a
    ) as all, (
      select coalesce(json_agg(p order by p.date desc, p.rank), '[]') from (
        select ${COLUMNS}, ${k.matchup}, ${k.category}, ${k.league}, ${m.image}, ${k.outcomeLabel},
          ${k.backing} ->> 'top_grade' as top_grade, settled.recorded_at as resolved_at
        ${SOURCE} ${joinOutcome} join ${m} on ${m.id} = ${k.marketId}
        where ${k.publishedAt} is not null and not ${isWithdrawn(k.id)} and ${isAfter(after)}
        order by ${k.pickDate} desc, ${k.rank} limit ${limit + 1}
      ) p
    ) as page`;

// The first bound is what the index on the day can use.
const isAfter = (after: ArchivePosition | null): SQL =>
  after === null
    ? sql`true`
    : sql`${k.pickDate} <= ${after.date} and (${k.pickDate} < ${after.date} or (${k.pickDate} = ${after.date} and ${k.rank} > ${after.rank}))`;
