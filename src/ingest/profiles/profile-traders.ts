import { utcDate } from "../../scoring/utc-calendar.ts";
import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { inTransaction, type Session } from "../../db/client.ts";
import { traderProfiles } from "../../db/schema.ts";
import { array, columnNames, excluded, run, setEach, timestamp } from "../../db/sql.ts";
import type { StoredMetrics } from "../../domain/traders/stored-profile.ts";
import { computeProfile, type ComputedProfile, type ProfilePopulation } from "./compute-profile.ts";
import { listTradersWithDueProfile, unscoredBasis } from "./due-profiles.ts";
import { loadHistories } from "./load-histories.ts";
import { loadProfilePopulation } from "./load-profile-population.ts";

/**
 * Computes and stores the due profiles of these traders, in one transaction. Traders that are not due (any
 * more) keep their profile, so a duplicate message changes nothing.
 *
 * @param loadPopulation may return what it has loaded for another call: `rankProfiles` compares all profiles again
 * @returns how many profiles were stored
 */
export async function profileTraders(
  pool: Pool,
  traderIds: readonly number[],
  now: Date,
  loadPopulation: (session: Session) => Promise<ProfilePopulation> = loadProfilePopulation,
): Promise<number> {
  return inTransaction(pool, async (session) => {
    // Basis and history must be of one moment. Two concurrent writers of one profile conflict, and the later
    // one retries.
    await run(session, sql`set transaction isolation level repeatable read`);
    const due = await listTradersWithDueProfile(session, traderIds, now);
    if (due.length === 0) return 0;
    const population = await loadPopulation(session);
    const asOf = utcDate(now.getTime());
    const ids = due.map(({ traderId }) => traderId);
    const histories = await loadHistories(session, ids, asOf);
    const computed = due.flatMap(({ traderId, basis }) => {
      const history = histories.get(traderId);
      if (history === undefined) return [];
      const profile = computeProfile(history, asOf, population);
      const isCounted = profile.profile.category_skill.every(({ status }) => status !== "degraded");
      return [{ traderId, basis: isCounted ? basis : unscoredBasis(basis), ...profile }];
    });
    await writeProfiles(session, computed, now);
    return computed.length;
  });
}

type NewProfile = ComputedProfile & { readonly traderId: number; readonly basis: string };

/** The columns of a stored profile that its computation gives. */
const COMPUTED = [
  traderProfiles.basis,
  traderProfiles.strategy,
  traderProfiles.streakTier,
  traderProfiles.form,
  traderProfiles.sharpe30d,
  traderProfiles.profitFactor,
  traderProfiles.edgeConsistency,
  traderProfiles.smartScore,
  traderProfiles.copyScore,
  traderProfiles.profile,
];

async function writeProfiles(session: Session, profiles: readonly NewProfile[], now: Date): Promise<void> {
  const traderIds = profiles.map((row) => row.traderId);
  const bases = profiles.map((row) => row.basis);
  const strategies = profiles.map((row) => row.strategy);
  const streakTiers = profiles.map((row) => row.streakTier);
  const forms = profiles.map((row) => row.form);
  const metricOf = (name: keyof StoredMetrics) => profiles.map((row) => row.profile.metrics[name]);
  const stored = profiles.map((row) => JSON.stringify(row.profile));
  const { traderId, computedAt } = traderProfiles;
  await run(
    session,
    sql`insert into ${traderProfiles} (${columnNames(traderId, computedAt, ...COMPUTED)})
     select trader_id, ${timestamp(now)}, ${columnNames(...COMPUTED)}
     from unnest(${array(traderIds, "bigint")}, ${array(bases, "text")}, ${array(strategies, "text")},
       ${array(streakTiers, "text")}, ${array(forms, "float8")}, ${array(metricOf("sharpe_30d"), "float8")},
       ${array(metricOf("profit_factor"), "float8")}, ${array(metricOf("edge_consistency"), "float8")},
       ${array(metricOf("smart_score"), "float8")}, ${array(metricOf("copy_score"), "float8")},
       ${array(stored, "jsonb")}) as computed(trader_id, ${columnNames(...COMPUTED)})
     on conflict (${columnNames(traderId)}) do update set ${setEach([computedAt, ...COMPUTED], excluded)}`,
  );
}
