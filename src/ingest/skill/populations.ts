import type { Session } from "../../db/client.ts";
import { METHOD_VERSION } from "../../scoring/skill/parameters.ts";
import type { SkillPopulation } from "../../scoring/skill/population.ts";

/** An estimated population as stored. */
export interface StoredPopulation {
  readonly id: number;
  /** Milliseconds since it was estimated. */
  readonly ageMs: number;
  readonly population: SkillPopulation;
}

/** The newest population of this method, or null before the first. */
export async function findPopulation(session: Session): Promise<StoredPopulation | null> {
  const { rows } = await session.query<{
    id: string;
    age_ms: number;
    wallets: number;
    mean: number;
    variance: number;
    dispersion: number;
    typical_variance: number;
  }>(
    `select p.id, (extract(epoch from clock_timestamp() - p.as_of) * 1000)::float8 as age_ms, p.wallets, p.mean, p.variance,
       p.dispersion, p.typical_variance
     from skill_populations p where p.method_version = $1 order by p.id desc limit 1`,
    [METHOD_VERSION],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { wallets, mean, variance, dispersion, typical_variance: typicalVariance } = row;
  return { id: Number(row.id), ageMs: row.age_ms, population: { wallets, mean, variance, dispersion, typicalVariance } };
}

/**
 * Stores a population; all wallets are due to be graded with it. Those that are due already are written as well: one that is being graded
 * with the population before is waited for, and is due again.
 */
export async function storePopulation(session: Session, population: SkillPopulation): Promise<void> {
  const { wallets, mean, variance, dispersion, typicalVariance } = population;
  await session.query(
    `insert into skill_populations (method_version, as_of, wallets, mean, variance, dispersion, typical_variance)
     values ($1, clock_timestamp(), $2, $3, $4, $5, $6)`,
    [METHOD_VERSION, wallets, mean, variance, dispersion, typicalVariance],
  );
  await session.query(`update trader_skill set is_due = true`);
}
