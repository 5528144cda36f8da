import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { GRADES } from "../domain/grades.ts";
import { count, iso, selectRows } from "./rows.ts";
import { selectTrader } from "./trader-ref.ts";
import type { TraderRef } from "./traders.ts";

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
  grade: z.enum(GRADES).nullable(),
  score: z.number().nullable(),
  ungraded_reason: z.string().nullable(),
});

export type GradeObservation = z.output<typeof Observation>;

export type GradeAt = {
  readonly id: number;
  readonly address: string;
  /** Since when the wallet's grade is known; null while it never was. */
  readonly availableFrom: string | null;
} & (
  | { readonly status: "graded" | "ungraded"; readonly observation: GradeObservation; readonly reason: null }
  | { readonly status: "unknown"; readonly observation: null; readonly reason: UnknownGradeReason }
);

const Row = z.object({
  id: count,
  address: z.string(),
  available_from: z.string().nullable(),
  is_future: z.boolean(),
  observation: Observation.nullable(),
});

/**
 * The grade of a wallet that was published at a time, from recorded observations only: the newest one computed by then. Between computing
 * and publishing either could have been read, so that moment is unknown.
 *
 * @returns null when nobody has the name
 */
export async function findGradeAt(db: Database, ref: TraderRef, at: Date): Promise<GradeAt | null> {
  const asOf = sql`${at.toISOString()}::timestamptz`;
  const [row] = await selectRows(
    db,
    sql`with w as materialized (${selectTrader(ref)}), newest as (
        select g.*, lag(g.id) over (order by g.valid_from, g.id) as previous_id
        from trader_grades g where g.trader_id = (select id from w) and g.valid_from <= ${asOf}
        order by g.valid_from desc, g.id desc limit 1
      )
      select w.id, w.address, ${asOf} > now() as is_future,
        (select ${iso(sql`min(published_at)`)} from trader_grades where trader_id = w.id) as available_from,
        (select jsonb_build_object('id', n.id, 'previous_id', n.previous_id, 'observed_at', ${iso(sql`n.valid_from`)},
          'published_by', ${iso(sql`n.published_at`)}, 'method_version', n.method_version, 'population_as_of', ${iso(sql`p.as_of`)},
          'grade', n.grade, 'score', n.score, 'ungraded_reason', n.ungraded_reason)
         from newest n left join skill_populations p on p.id = n.population_id where n.published_at <= ${asOf}) as observation
      from w`,
    Row,
  );
  if (row === undefined) return null;
  const { id, address, available_from: availableFrom, observation } = row;
  const unknown = (reason: UnknownGradeReason) => ({ id, address, availableFrom, status: "unknown" as const, observation: null, reason });
  if (row.is_future) return unknown("in_the_future");
  if (observation !== null) {
    return { id, address, availableFrom, status: observation.grade === null ? "ungraded" : "graded", observation, reason: null };
  }
  if (availableFrom === null) return unknown("never_observed");
  return unknown(at.getTime() < Date.parse(availableFrom) ? "before_first_observation" : "in_transition");
}
