import { z } from "zod";
import { sha256, toHex } from "../../lib/hmac.ts";
import { canonicalGradeInput } from "../../scoring/skill/canonical-input.ts";
import type { SkillEvidence } from "../../scoring/skill/evidence.ts";
import { gradeOf, type Grade } from "../../scoring/skill/grade.ts";
import type { SkillPopulation } from "../../scoring/skill/population.ts";

const whole = () => z.number().int();

const Evidence = z.object({
  bets: whole(),
  clusters: whole(),
  weight: whole(),
  edge: whole(),
  information: whole(),
  squareInformation: whole(),
  edgeEdge: whole(),
  edgeVariance: whole(),
  varianceVariance: whole(),
}) satisfies z.ZodType<SkillEvidence>;

const Population = z.object({
  wallets: whole(),
  mean: z.number(),
  variance: z.number().positive(),
  dispersion: z.number().positive(),
  typicalVariance: z.number(),
}) satisfies z.ZodType<SkillPopulation>;

/** What `trader_grades.components` holds: all that a grade was computed from, and what explains it. */
export const StoredComponents = z.object({
  evidence: Evidence,
  population: Population.nullable(),
  estimate: z
    .object({ rawPoints: z.number().nullable(), expectedPoints: z.number(), deviationPoints: z.number(), ownShare: z.number() })
    .nullable(),
});

export type StoredComponents = z.output<typeof StoredComponents>;

/** A grade with the proof of what it was computed from. */
export interface GradeRecord {
  readonly grade: Grade;
  /** SHA-256 of `canonicalGradeInput`, in hex. */
  readonly inputHash: string;
  readonly components: StoredComponents;
}

/** Pure: computed again from its own stored components, a record comes out the same. */
export async function recordGrade(evidence: SkillEvidence, population: SkillPopulation | null): Promise<GradeRecord> {
  const grade = gradeOf(evidence, population);
  const inputHash = toHex(await sha256(canonicalGradeInput(evidence, population)));
  return { grade, inputHash, components: { evidence, population, estimate: grade.components && explain(grade.components) } };
}

const explain = ({ rawPoints, expectedPoints, deviationPoints, ownShare }: NonNullable<Grade["components"]>) => ({
  rawPoints,
  expectedPoints,
  deviationPoints,
  ownShare,
});
