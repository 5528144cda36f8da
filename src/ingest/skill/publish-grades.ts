import { sql } from "drizzle-orm";
import { t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { traderGrades } from "../../db/schema.ts";
import { array, columnName, columnNames, run } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { isHotGrade } from "../../domain/traders/tracking.ts";
import { METHOD_VERSION } from "../../scoring/skill/parameters.ts";
import type { Letter } from "../../scoring/skill/letter.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";
import { trackTraders } from "../traders/track-traders.ts";
import type { GradeRecord } from "./grade-record.ts";

/** A grade that replaces the published one of a trader. */
export interface NewGrade extends GradeRecord {
  readonly traderId: string;
  readonly address: string;
  /** Null when there was no population. */
  readonly populationId: number | null;
  /** The published letter that it replaces; null when there was none. */
  readonly previousGrade: Letter | null;
  /** ISO, whole milliseconds, by the database's clock. */
  readonly computedAt: string;
}

/**
 * Adds the grades to the traders' histories, makes them current and publishes an event for each changed
 * letter. Traders that get a letter of the leaderboard are tracked as hot from then on.
 */
export async function publishGrades(session: Session, grades: readonly NewGrade[]): Promise<void> {
  if (grades.length === 0) return;
  const events = grades.flatMap((grade) => presentChange(grade) ?? []);
  if (events.length > 0) await publishEvents(session, events);
  const hot = grades.filter(({ grade }) => grade.grade !== null && isHotGrade(grade.grade));
  await trackTraders(
    session,
    hot.map(({ traderId }) => Number(traderId)),
    "hot",
  );
  await storeGrades(session, grades);
}

/** The columns of a stored grade that its computation gives. */
const COMPUTED = columnNames(
  traderGrades.traderId,
  traderGrades.validFrom,
  traderGrades.populationId,
  traderGrades.inputHash,
  traderGrades.grade,
  traderGrades.score,
  traderGrades.forecastScore,
  traderGrades.forecastEvidence,
  traderGrades.ungradedReason,
  traderGrades.components,
);

async function storeGrades(session: Session, grades: readonly NewGrade[]): Promise<void> {
  const traderIds = grades.map((row) => row.traderId);
  const validFrom = grades.map((row) => row.computedAt);
  const populationIds = grades.map((row) => row.populationId);
  const inputHashes = grades.map((row) => row.inputHash);
  const letters = grades.map((row) => row.grade.grade);
  const scores = grades.map((row) => row.grade.score);
  const forecastScores = grades.map((row) => row.grade.forecastScore);
  const forecastEvidences = grades.map((row) => row.grade.forecastEvidence);
  const reasons = grades.map((row) => row.grade.reason);
  const components = grades.map((row) => JSON.stringify(row.components));
  // Last statement of its transaction, and by the running clock, rounded up to the next millisecond: the time
  // from which the grade is in force.
  await run(
    session,
    sql`with added as (
       insert into ${traderGrades} (${columnNames(traderGrades.publishedAt, traderGrades.methodVersion)}, ${COMPUTED})
       select date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond', ${METHOD_VERSION}, ${COMPUTED}
       from unnest(${array(traderIds, "bigint")}, ${array(validFrom, "timestamptz")},
         ${array(populationIds, "bigint")}, ${array(inputHashes, "text")}, ${array(letters, "text")},
         ${array(scores, "float8")}, ${array(forecastScores, "float8")}, ${array(forecastEvidences, "float8")},
         ${array(reasons, "text")}, ${array(components, "jsonb")}) as computed(${COMPUTED})
       returning *
     )
     update ${t} set ${columnName(t.grade)} = added.grade, ${columnName(t.score)} = added.score,
       ${columnName(t.forecastScore)} = added.forecast_score,
       ${columnName(t.forecastEvidence)} = added.forecast_evidence, ${columnName(t.gradedAt)} = added.published_at
     from added where ${t.id} = added.trader_id`,
  );
}

/**
 * The contract's `wallet_grade_changed`: one letter became another. A first letter or a lost letter has no
 * direction and gives no event.
 */
function presentChange({ traderId, address, previousGrade, grade: { grade, score }, computedAt, inputHash }: NewGrade) {
  if (previousGrade === null || grade === null || previousGrade === grade) return null;
  const isBetter = GRADES.indexOf(grade) < GRADES.indexOf(previousGrade);
  return {
    type: "wallet_grade_changed" as const,
    // The inputs include the previous letter.
    occurrence: `${address} ${inputHash}`,
    payload: {
      wallet: address,
      trader_id: Number(traderId),
      old_grade: previousGrade,
      new_grade: grade,
      direction: isBetter ? ("upgrade" as const) : ("downgrade" as const),
      ...(score === null ? {} : { final_score: score }),
      date: computedAt.slice(0, 10),
      // The worse of the two: a subscriber to this letter or better saw the trader before or after the
      // change.
      grade_floor: isBetter ? previousGrade : grade,
    },
  };
}
