import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isoText, selectRow } from "../../db/sql.ts";
import { close, isAmongWithdrawn, joinEveryOutcome, k } from "../../db/fragments/picks.ts";
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

/** Every pick and slot is read for the record, once. The page is cut from them. */
const EVERY = sql`select ${k.id}, ${k.pickDate}, ${k.rank}, ${k.isFree}, ${k.publishedAt}, ${k.kickoff}, ${k.backedPrice},
    ${close.price} as close_price, settled.outcome, settled.recorded_at
  from ${k} left join ${close} on ${close.pickId} = ${k.id} ${joinEveryOutcome}
  where not (${isAmongWithdrawn(k.id)})`;

const COLUMNS = sql`a.id::text as id, a.pick_date::text as date, a.rank, a.is_free,
  ${isoText(sql`a.published_at`)} as published_at, ${isoText(sql`a.kickoff`)} as kickoff, a.backed_price::text as price,
  a.outcome, a.close_price::text as close_price`;

const selectArchive = (after: ArchivePosition | null, limit: number): SQL => sql`
  with every as materialized (${EVERY})
  select (
      select coalesce(json_agg(p order by p.date, p.rank), '[]') from (select ${COLUMNS} from every a) p
    ) as all, (
      select coalesce(json_agg(p order by p.date desc, p.rank), '[]') from (
        select ${COLUMNS}, ${k.matchup}, ${k.category}, ${k.league}, ${m.image}, ${k.outcomeLabel},
          ${k.backing} ->> 'top_grade' as top_grade, a.recorded_at as resolved_at
        from (
          select * from every where published_at is not null and ${isAfter(after)}
          order by pick_date desc, rank limit ${limit + 1}
        ) a join ${k} on ${k.id} = a.id join ${m} on ${m.id} = ${k.marketId}
      ) p
    ) as page`;

const isAfter = (after: ArchivePosition | null): SQL =>
  after === null
    ? sql`true`
    : sql`(pick_date < ${after.date}::date or (pick_date = ${after.date}::date and rank > ${after.rank}::int))`;
