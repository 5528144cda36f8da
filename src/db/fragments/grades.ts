import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { gradesFrom, type Grade } from "../../domain/traders/grades.ts";

/** The column holds one of these grades; false for null. As literals, so that partial indexes apply. */
export const isGradeIn = (grade: AnyPgColumn, grades: readonly Grade[]): SQL =>
  sql`${grade} in (${sql.raw(grades.map((letter) => `'${letter}'`).join(", "))})`;

/** Grades that the leaderboard ranks: B and better. */
export const isRankedGrade = (grade: AnyPgColumn): SQL => isGradeIn(grade, gradesFrom("B"));
