import { z } from "zod";
import { GRADES } from "../../domain/traders/grades.ts";
import { sha256, toHex } from "../../lib/crypto/hmac.ts";
import { canonicalGradeInput } from "../../scoring/skill/canonical-input.ts";
import type { ClosingPopulation } from "../../scoring/skill/closing-population.ts";
import type { SkillEvidence } from "../../scoring/skill/evidence.ts";
import { gradeOf, type GradeResult } from "../../scoring/skill/grade.ts";
import type { Letter } from "../../scoring/skill/letter.ts";
import type { SkillPopulation } from "../../scoring/skill/population.ts";

const integer = () => z.number().int();

const Evidence = z.object({
  bets: integer(),
  clusters: integer(),
  weight: integer(),
  edge: integer(),
  information: integer(),
  squareInformation: integer(),
  edgeEdge: integer(),
  edgeVariance: integer(),
  varianceVariance: integer(),
  // Missing in grades of versions that did not count closing lines.
  closeClusters: integer().default(0),
  closeEdge: integer().default(0),
  closeInformation: integer().default(0),
  closeSquareInformation: integer().default(0),
  closeEdgeEdge: integer().default(0),
  closeEdgeVariance: integer().default(0),
  closeVarianceVariance: integer().default(0),
  crossEdgeEdge: integer().default(0),
  crossEdgeVariance: integer().default(0),
  crossVarianceEdge: integer().default(0),
  crossVarianceVariance: integer().default(0),
  // Missing in grades of versions that took events of one story for independent.
  storyEdgeEdge: integer().default(0),
  storyEdgeVariance: integer().default(0),
  storyVarianceVariance: integer().default(0),
  storyInformation: integer().default(0),
}) satisfies z.ZodType<SkillEvidence>;

const Closing = z.object({
  mean: z.number(),
  variance: z.number().positive(),
  covariance: z.number(),
  // Missing in grades of versions that did not test it.
  significance: z.number().default(0),
  dispersion: z.number().positive(),
  crossDispersion: z.number(),
}) satisfies z.ZodType<ClosingPopulation>;

const Population = z.object({
  traders: integer(),
  mean: z.number(),
  variance: z.number().positive(),
  dispersion: z.number().positive(),
  typicalVariance: z.number(),
  // Missing in grades of versions that did not test it.
  significance: z.number().default(0),
  closing: Closing.nullable().default(null),
  storyCorrelation: z.number().default(0),
}) satisfies z.ZodType<SkillPopulation>;

/** The content of `trader_grades.components`: the inputs of a grade and the figures that explain it. */
export const StoredComponents = z.object({
  evidence: Evidence,
  population: Population.nullable(),
  /** The evidence of the last RECENT_DAYS; null where it could not decide the letter. */
  recent: Evidence.nullable().default(null),
  /** The letter that it replaced; null without one of this version, missing in grades of versions that had no use for it. */
  previousGrade: z.enum(GRADES).nullable().default(null),
  estimate: z
    .object({
      rawPoints: z.number().nullable(),
      expectedPoints: z.number(),
      deviationPoints: z.number(),
      ownShare: z.number(),
      recentForecastScore: z.number().nullable().default(null),
    })
    .nullable(),
});

export type StoredComponents = z.output<typeof StoredComponents>;

/** A grade with proof of the inputs it was computed from. */
export interface GradeRecord {
  readonly grade: GradeResult;
  /** SHA-256 of `canonicalGradeInput`, in hex. */
  readonly inputHash: string;
  readonly components: StoredComponents;
}

/** Computes a grade record. Pure: the same stored components give the same record. */
export async function recordGrade(
  evidence: SkillEvidence,
  population: SkillPopulation | null,
  recent: SkillEvidence | null,
  previousGrade: Letter | null,
): Promise<GradeRecord> {
  const grade = gradeOf(evidence, population, recent, previousGrade);
  const inputHash = toHex(await sha256(canonicalGradeInput(evidence, population, recent, previousGrade)));
  const estimate = grade.components && explain(grade.components);
  return { grade, inputHash, components: { evidence, population, recent, previousGrade, estimate } };
}

const explain = ({ clusters: _, bets: __, ...figures }: NonNullable<GradeResult["components"]>) => figures;
