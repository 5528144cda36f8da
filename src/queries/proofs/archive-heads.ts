import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { archiveDays } from "../../db/schema.ts";
import { alias, selectRow } from "../../db/sql.ts";
import { headJson, HeadRow } from "./head-row.ts";

const d = alias(archiveDays, "d");

const Page = z.object({
  rows: z.array(HeadRow),
  /** The heads from the first day on, up to but without the requested one; null when not requested. */
  log: z.array(z.string()).nullable(),
  newest: z.number().int().nullable(),
});

export type HeadPage = z.output<typeof Page>;

/**
 * Signed heads, newest first, with one more than the limit when there is a next page.
 *
 * @param before the sequence of the last head of the page before; null for the first page
 * @param logUpTo also reads the log of all heads before this sequence; null when it is not needed
 */
export async function listArchiveHeads(
  db: Database,
  { before, limit, logUpTo }: { before: number | null; limit: number; logUpTo: number | null },
): Promise<HeadPage> {
  const page = await selectRow(
    db,
    sql`select coalesce((select json_agg(${headJson(d)} order by ${d.sequence} desc) from (
          select * from ${d} where ${before === null ? sql`true` : sql`${d.sequence} < ${before}`}
          order by ${d.sequence} desc limit ${limit + 1}) d), '[]') as rows,
      ${logUpTo === null ? sql`null::json` : sql`(select coalesce(json_agg(${d.head} order by ${d.sequence}), '[]') from ${d} where ${d.sequence} < ${logUpTo})`} as log,
      (select max(${d.sequence}) from ${d}) as newest`,
    Page,
  );
  return page ?? { rows: [], log: null, newest: null };
}
