import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { g } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { skillPopulations, traderGrades } from "../../db/schema.ts";
import { alias, integer, isoText, selectRow, timestamp } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { selectTrader } from "./select-trader.ts";
import type { TraderRef } from "./traders.ts";

/** Why a trader's grade at a time is unknown. */
export type UnknownGradeReason = "never_observed" | "before_first_observation" | "in_transition" | "in_the_future";

const Observation = z.object({
  id: integer,
  /** Null for the trader's first grade. */
  previous_id: integer.nullable(),
  /** When it was computed; it is valid for no earlier time. */
  observed_at: z.string(),
  /** The latest time at which it became the published grade. */
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
  /** The start of recorded grades of this trader; null while there are none. */
  readonly availableFrom: string | null;
} & (
  | { readonly status: "graded" | "ungraded"; readonly observation: GradeObservation; readonly reason: null }
  | { readonly status: "unknown"; readonly observation: null; readonly reason: UnknownGradeReason }
);

const Row = z.object({
  id: integer,
  address: z.string(),
  available_from: z.string().nullable(),
  is_future: z.boolean(),
  observation: Observation.nullable(),
});

const newest = alias(traderGrades, "newest");
const population = alias(skillPopulations, "population");

/** The newest observation of the trader `w` computed by then, if it was published by then, as JSON. */
const observationAt = (asOf: SQL): SQL => sql`
  select jsonb_build_object('id', ${newest.id}, 'previous_id', newest.previous_id,
    'observed_at', ${isoText(newest.validFrom)}, 'published_by', ${isoText(newest.publishedAt)},
    'method_version', ${newest.methodVersion}, 'population_as_of', ${isoText(population.asOf)},
    'grade', ${newest.grade}, 'score', ${newest.score}, 'ungraded_reason', ${newest.ungradedReason})
  from newest left join ${population} on ${population.id} = ${newest.populationId}
  where ${newest.publishedAt} <= ${asOf}`;

/**
 * The published grade of a trader at a time, from recorded observations only: the newest one computed by
 * then. Between computation and publication a client could have read either grade, so the grade in that
 * interval is unknown.
 *
 * @returns null when there is no such trader
 */
export async function findGradeAt(db: Database, ref: TraderRef, at: Date): Promise<GradeAt | null> {
  const asOf = timestamp(at);
  const row = await selectRow(
    db,
    sql`with w as materialized (${selectTrader(ref)}), newest as (
        select g.*, lag(${g.id}) over (order by ${g.validFrom}, ${g.id}) as previous_id
        from ${g} where ${g.traderId} = (select id from w) and ${g.validFrom} <= ${asOf}
        order by ${g.validFrom} desc, ${g.id} desc limit 1
      )
      select w.id, w.address, ${asOf} > now() as is_future,
        (select ${isoText(sql`min(${g.publishedAt})`)} from ${g} where ${g.traderId} = w.id) as available_from,
        (${observationAt(asOf)}) as observation
      from w`,
    Row,
  );
  if (row === null) return null;
  const { id, address, available_from: availableFrom, observation } = row;
  const unknown = (reason: UnknownGradeReason) => ({
    id,
    address,
    availableFrom,
    status: "unknown" as const,
    observation: null,
    reason,
  });
  if (row.is_future) return unknown("in_the_future");
  if (observation !== null) {
    return {
      id,
      address,
      availableFrom,
      status: observation.grade === null ? "ungraded" : "graded",
      observation,
      reason: null,
    };
  }
  if (availableFrom === null) return unknown("never_observed");
  return unknown(at.getTime() < Date.parse(availableFrom) ? "before_first_observation" : "in_transition");
}
