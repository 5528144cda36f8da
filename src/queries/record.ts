import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { recordPeriods } from "../db/schema.ts";
import { alias, bigintText, integer, isoText, selectRows } from "../db/sql.ts";
import { RECORD_KINDS, RECORD_SAMPLES, type RecordKind } from "../domain/record/record-kinds.ts";

const p = alias(recordPeriods, "p");

const RecordRow = z.object({
  kind: z.enum(RECORD_KINDS),
  period: z.string(),
  sample: z.enum(RECORD_SAMPLES),
  claims: integer,
  pending: integer,
  late: integer,
  unpriced: integer,
  won: integer,
  lost: integer,
  voided: integer,
  price_ppm: bigintText,
  return_micro: bigintText,
  events: integer,
  edge_squares: bigintText,
  edge_counts: bigintText,
  count_squares: bigintText,
  changed_at: z.string(),
});

export type RecordRow = z.output<typeof RecordRow>;

/**
 * The stored record, newest month first; the period `all` has the totals. A kind has both samples of each of its
 * periods.
 *
 * @param kind null for all kinds
 * @returns no row before the first run of the job that builds it
 */
export const listRecord = (db: Database, kind: RecordKind | null): Promise<RecordRow[]> =>
  selectRows(
    db,
    sql`select ${p.kind}, ${p.period}, ${p.sample}, ${p.claims}, ${p.pending}, ${p.late}, ${p.unpriced}, ${p.won},
       ${p.lost}, ${p.voided}, ${p.pricePpm}::text, ${p.returnMicro}::text, ${p.events}, ${p.edgeSquares}::text,
       ${p.edgeCounts}::text, ${p.countSquares}::text, ${isoText(p.changedAt)} as changed_at
     from ${p} where ${kind === null ? sql`true` : sql`${p.kind} = ${kind}`}
     order by ${p.kind}, ${p.period} desc, ${p.sample}`,
    RecordRow,
  );
