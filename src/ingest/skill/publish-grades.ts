import type { Session } from "../../db/client.ts";
import { GRADES } from "../../domain/grades.ts";
import { isHotGrade } from "../../domain/tracking.ts";
import { METHOD_VERSION } from "../../scoring/skill/parameters.ts";
import type { Letter } from "../../scoring/skill/grade.ts";
import { publish } from "../outbox.ts";
import { trackWallets } from "../track-wallets.ts";
import type { GradeRecord } from "./grade-record.ts";

/** A grade that replaces the published one of a wallet. */
export interface NewGrade extends GradeRecord {
  readonly traderId: string;
  readonly address: string;
  /** Null when there was no population. */
  readonly populationId: number | null;
  /** The published letter it replaces; null when there was none. */
  readonly previousGrade: Letter | null;
  /** ISO, whole milliseconds, by the database's clock. */
  readonly computedAt: string;
}

/**
 * Adds the grades to the wallets' histories and puts them in force, announcing each letter that became another. Wallets that get a letter of
 * the leaderboard are followed closely from then on.
 */
export async function publishGrades(session: Session, grades: readonly NewGrade[]): Promise<void> {
  if (grades.length === 0) return;
  const announced = grades.flatMap((grade) => presentChange(grade) ?? []);
  if (announced.length > 0) await publish(session, announced);
  const ranked = grades.filter(({ grade }) => grade.grade !== null && isHotGrade(grade.grade));
  await trackWallets(
    session,
    ranked.map(({ traderId }) => Number(traderId)),
    "hot",
  );
  // Last in its transaction and by the running clock, up to the next millisecond: the time from which the grade is in force.
  await session.query(
    `with added as (
       insert into trader_grades
         (trader_id, valid_from, published_at, method_version, population_id, input_hash, grade, score, forecast_score, forecast_evidence,
          ungraded_reason, components)
       select trader_id, valid_from, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond', $1, population_id, input_hash, grade, score, forecast_score, forecast_evidence,
         ungraded_reason, components
       from unnest($2::bigint[], $3::timestamptz[], $4::bigint[], $5::text[], $6::text[], $7::float8[], $8::float8[], $9::float8[],
         $10::text[], $11::jsonb[])
         as t(trader_id, valid_from, population_id, input_hash, grade, score, forecast_score, forecast_evidence, ungraded_reason, components)
       returning *
     )
     update traders t set grade = a.grade, score = a.score, forecast_score = a.forecast_score, forecast_evidence = a.forecast_evidence,
       graded_at = a.published_at
     from added a where t.id = a.trader_id`,
    [
      METHOD_VERSION,
      grades.map((row) => row.traderId),
      grades.map((row) => row.computedAt),
      grades.map((row) => row.populationId),
      grades.map((row) => row.inputHash),
      grades.map((row) => row.grade.grade),
      grades.map((row) => row.grade.score),
      grades.map((row) => row.grade.forecastScore),
      grades.map((row) => row.grade.forecastEvidence),
      grades.map((row) => row.grade.reason),
      grades.map((row) => JSON.stringify(row.components)),
    ],
  );
}

/** The contract's `wallet_grade_changed`: one letter became another. A first letter, or one that is lost, has no direction. */
function presentChange({ traderId, address, previousGrade, grade: { grade, score }, computedAt }: NewGrade) {
  if (previousGrade === null || grade === null || previousGrade === grade) return null;
  const isBetter = GRADES.indexOf(grade) < GRADES.indexOf(previousGrade);
  return {
    type: "wallet_grade_changed" as const,
    payload: {
      wallet: address,
      trader_id: Number(traderId),
      old_grade: previousGrade,
      new_grade: grade,
      direction: isBetter ? ("upgrade" as const) : ("downgrade" as const),
      ...(score === null ? {} : { final_score: score }),
      date: computedAt.slice(0, 10),
      // The worse of the two: a subscriber to this letter or better saw the wallet before or after.
      grade_floor: isBetter ? previousGrade : grade,
    },
  };
}
