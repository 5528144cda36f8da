import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { skillPopulations, traderSkill } from "../../db/schema.ts";
import { alias, integer, selectRow } from "../../db/sql.ts";
import { METHOD_VERSION } from "../../scoring/skill/parameters.ts";
import type { ClosingPopulation } from "../../scoring/skill/closing-population.ts";
import type { SkillPopulation } from "../../scoring/skill/population.ts";

/** An estimated population, as stored. */
export interface StoredSkillPopulation {
  readonly id: number;
  /** Milliseconds since it was estimated. */
  readonly ageMs: number;
  readonly population: SkillPopulation;
}

const stored = alias(skillPopulations, "stored");

const PopulationRow = z.object({
  id: integer,
  age_ms: z.number(),
  traders: z.number(),
  mean: z.number(),
  variance: z.number(),
  dispersion: z.number(),
  typical_variance: z.number(),
  significance: z.number(),
  close_mean: z.number().nullable(),
  close_variance: z.number().nullable(),
  close_covariance: z.number().nullable(),
  close_significance: z.number().nullable(),
  close_dispersion: z.number().nullable(),
  cross_dispersion: z.number().nullable(),
  story_correlation: z.number(),
});

/** The newest population of this version of the method; null before the first. */
export async function findSkillPopulation(session: Session): Promise<StoredSkillPopulation | null> {
  const row = await selectRow(
    session,
    sql`select ${stored.id}, (extract(epoch from clock_timestamp() - ${stored.asOf}) * 1000)::float8 as age_ms,
       ${stored.wallets} as traders, ${stored.mean}, ${stored.variance}, ${stored.dispersion}, ${stored.typicalVariance},
       ${stored.significance}, ${stored.closeMean}, ${stored.closeVariance}, ${stored.closeCovariance}, ${stored.closeSignificance},
       ${stored.closeDispersion}, ${stored.crossDispersion}, ${stored.storyCorrelation}
     from ${stored} where ${stored.methodVersion} = ${METHOD_VERSION} order by ${stored.id} desc limit 1`,
    PopulationRow,
  );
  if (row === null) return null;
  const { id, age_ms: ageMs, typical_variance: typicalVariance, story_correlation: storyCorrelation } = row;
  const { traders, mean, variance, dispersion, significance } = row;
  const skill = { traders, mean, variance, dispersion, storyCorrelation, typicalVariance, significance };
  return { id, ageMs, population: { ...skill, closing: toClosing(row) } };
}

/** All six are stored, or none. */
function toClosing(row: z.output<typeof PopulationRow>): ClosingPopulation | null {
  const { close_mean: mean, close_variance: variance, close_covariance: covariance } = row;
  const { close_significance: significance, close_dispersion: dispersion, cross_dispersion: crossDispersion } = row;
  if (mean === null || variance === null || covariance === null) return null;
  if (significance === null || dispersion === null || crossDispersion === null) return null;
  return { mean, variance, covariance, significance, dispersion, crossDispersion };
}

/**
 * Stores a population and makes all traders due for grading. It also writes traders that are already due. One
 * that is being graded with the previous population is locked, so the update waits for it and makes it due
 * again.
 */
export async function storeSkillPopulation(session: Session, population: SkillPopulation): Promise<void> {
  const { traders, mean, variance, dispersion, storyCorrelation, typicalVariance, significance, closing } = population;
  await session.insert(skillPopulations).values({
    methodVersion: METHOD_VERSION,
    asOf: sql`clock_timestamp()`,
    wallets: traders,
    mean,
    variance,
    dispersion,
    typicalVariance,
    significance,
    closeMean: closing?.mean,
    closeVariance: closing?.variance,
    closeCovariance: closing?.covariance,
    closeSignificance: closing?.significance,
    closeDispersion: closing?.dispersion,
    crossDispersion: closing?.crossDispersion,
    storyCorrelation,
  });
  await session.update(traderSkill).set({ isDue: true });
}
