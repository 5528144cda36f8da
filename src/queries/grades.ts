import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { count, iso, selectRows } from "./rows.ts";

/** Why nothing is known of a wallet's grade at a time. */
export type UnknownGradeReason = "never_observed" | "before_first_observation" | "in_transition" | "in_the_future";

const Observation = z.object({
  id: count,
  /** Null for the wallet's first. */
  previous_id: count.nullable(),
  /** When it was computed; it holds for no time before. */
  observed_at: z.string(),
  /** Since when at the latest it is the published one. */
  published_by: z.string(),
  method_version: z.string(),
  population_as_of: z.string().nullable(),
  grade: z.enum(["S", "A", "B", "C", "D", "F"]).nullable(),
  score: z.number().nullable(),
  ungraded_reason: z.string().nullable(),
});

export type GradeObservation = z.output<typeof Observation>;

export type GradeAt = {
  /** Since when the wallet's grade is known; null while it never was. */
  readonly availableFrom: string | null;
} & (
  | { readonly status: "graded" | "ungraded"; readonly observation: GradeObservation; readonly reason: null }
  | { readonly status: "unknown"; readonly observation: null; readonly reason: UnknownGradeReason }
);

const Row = z.object({ available_from: z.string().nullable(), is_future: z.boolean(), observation: Observation.nullable() });

/**
 * The grade of a wallet that was published at a time, from recorded observations only: the newest one computed by then. Between computing
 * and publishing either could have been read, so that moment is unknown.
 */
export async function findGradeAt(db: Database, traderId: number, at: Date): Promise<GradeAt> {
  const asOf = sql`${at.toISOString()}::timestamptz`;
  const [row] = await selectRows(
    db,
    sql`with newest as (
        select g.*, lag(g.id) over (order by g.valid_from, g.id) as previous_id
        from trader_grades g where g.trader_id = ${traderId} and g.valid_from <= ${asOf}
        order by g.valid_from desc, g.id desc limit 1
      )
      select ${asOf} > now() as is_future,
        (select ${iso(sql`min(published_at)`)} from trader_grades where trader_id = ${traderId}) as available_from,
        (select jsonb_build_object('id', n.id, 'previous_id', n.previous_id, 'observed_at', ${iso(sql`n.valid_from`)},
          'published_by', ${iso(sql`n.published_at`)}, 'method_version', n.method_version, 'population_as_of', ${iso(sql`p.as_of`)},
          'grade', n.grade, 'score', n.score, 'ungraded_reason', n.ungraded_reason)
         from newest n left join skill_populations p on p.id = n.population_id where n.published_at <= ${asOf}) as observation`,
    Row,
  );
  const availableFrom = row?.available_from ?? null;
  if (row?.is_future === true) return { availableFrom, status: "unknown", observation: null, reason: "in_the_future" };
  if (row !== undefined && row.observation !== null) {
    return { availableFrom, status: row.observation.grade === null ? "ungraded" : "graded", observation: row.observation, reason: null };
  }
  if (availableFrom === null) return { availableFrom, status: "unknown", observation: null, reason: "never_observed" };
  const reason = at.getTime() < Date.parse(availableFrom) ? "before_first_observation" : "in_transition";
  return { availableFrom, status: "unknown", observation: null, reason };
}
