import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { tp } from "../../db/aliases.ts";
import { inTransaction, type Session } from "../../db/client.ts";
import { array, columnName, integer, run, selectRow, selectRows } from "../../db/sql.ts";
import { StoredMeasures, StoredMetrics } from "../../domain/traders/stored-profile.ts";
import { streakTier } from "../../scoring/metrics/streak-tier.ts";
import { findCheckpoint, saveCheckpoint } from "../feeds/checkpoints.ts";
import type { ProfilePopulation } from "./compute-profile.ts";
import { loadProfilePopulation } from "./load-profile-population.ts";
import { compareMeasures } from "./stored-measures.ts";

/**
 * Interval between comparisons. While the number of profiles grows by this share, as after the first start, the comparison does
 * not wait. It writes nearly every profile (2 KB of WAL each), and a profile that is recomputed is compared then anyway, so
 * only those of traders without news wait for it.
 */
const RANK_EVERY_SECONDS = 1_800;
const GROWTH_SHARE = 0.5;
const PROFILES_AT_ONCE = 1_000;

const FEED = "profiles:rank";

/**
 * State of the current comparison or, with `after` null, of the last one: its as-of time, the number of profiles then, and the
 * last trader id compared.
 */
const RankState = z.object({ as_of: z.iso.datetime(), total: z.number().default(0), after: z.number().nullable() });

type RankState = z.output<typeof RankState>;

/**
 * Whether the profiles must be compared again. A percentile depends on the population, so every new profile
 * may change all others. Also true when a comparison was started but not finished.
 */
export async function isRankingDue(pool: Pool, now: Date): Promise<boolean> {
  return inTransaction(pool, async (session) => {
    const state = await findCheckpoint(session, FEED, RankState);
    return (await comparisonDue(session, state, now)) !== null;
  });
}

/** @returns the comparison to go on with: the one that was started, or a new one if it is due; null when none is */
async function comparisonDue(session: Session, state: RankState | null, now: Date): Promise<RankState | null> {
  if (state !== null && state.after !== null) return state;
  const { fresh, total } = await countProfiles(session, state);
  if (fresh === 0) return null;
  const ageSeconds = state === null ? Infinity : (now.getTime() - Date.parse(state.as_of)) / 1000;
  const isDue = total >= (1 + GROWTH_SHARE) * (state?.total ?? 0) || ageSeconds >= RANK_EVERY_SECONDS;
  return isDue ? { as_of: now.toISOString(), total, after: 0 } : null;
}

/** The profiles, and those that were computed after the last comparison. */
async function countProfiles(session: Session, state: RankState | null): Promise<{ fresh: number; total: number }> {
  const comparedAt = sql`coalesce(${state?.as_of ?? null}::timestamptz, '-infinity')`;
  const counts = await selectRow(
    session,
    sql`select (count(*) filter (where ${tp.computedAt} > ${comparedAt}))::float8 as fresh, count(*)::float8 as total
     from ${tp}`,
    z.object({ fresh: z.number(), total: z.number() }),
  );
  return counts ?? { fresh: 0, total: 0 };
}

/**
 * Compares every profile with all others from stored measures alone: percentiles, both scores, streak tiers.
 * Each batch is one transaction, which also stores the progress. The result depends only on the measures, not
 * on when or in which order they were stored.
 */
export async function rankProfiles(pool: Pool, now: Date, profilesAtOnce: number = PROFILES_AT_ONCE): Promise<void> {
  for (let hasMore = true; hasMore;) {
    hasMore = await inTransaction(pool, async (session) => {
      const from = await comparisonDue(session, await findCheckpoint(session, FEED, RankState), now);
      if (from === null) return false;
      const last = await rankBatch(session, from.after ?? 0, profilesAtOnce, await loadProfilePopulation(session));
      const next: RankState = { ...from, after: last };
      await saveCheckpoint(session, FEED, next);
      return last !== null;
    });
  }
}

const ProfileRow = z.object({
  trader_id: integer,
  computed_at: z.string(),
  streak_tier: z.string().nullable(),
  form: z.number().nullable(),
  measures: StoredMeasures,
  metrics: StoredMetrics,
});

type ProfileRow = z.output<typeof ProfileRow>;

/** @returns the last trader compared, or null when there are no more */
async function rankBatch(
  session: Session,
  after: number,
  limit: number,
  population: ProfilePopulation,
): Promise<number | null> {
  const rows = await selectRows(
    session,
    sql`select ${tp.traderId}, ${tp.computedAt}::text as computed_at, ${tp.streakTier}, ${tp.form},
       ${tp.profile} -> 'measures' as measures, ${tp.profile} -> 'metrics' as metrics
     from ${tp} where ${tp.traderId} > ${after} order by ${tp.traderId} limit ${limit}`,
    ProfileRow,
  );
  const changed = rows.flatMap((row) => compareRow(row, population) ?? []);
  if (changed.length > 0) await writeRanks(session, changed);
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : last.trader_id;
}

interface Rank {
  readonly traderId: number;
  readonly computedAt: string;
  readonly streakTier: string | null;
  readonly metrics: StoredMetrics;
}

/** @returns null when nothing has changed */
function compareRow(row: ProfileRow, population: ProfilePopulation): Rank | null {
  const metrics = compareMeasures(row.measures, population);
  const tier = streakTier(row.form, population.forms);
  const isSame =
    tier === row.streak_tier && StoredMetrics.keyof().options.every((name) => metrics[name] === row.metrics[name]);
  return isSame ? null : { traderId: row.trader_id, computedAt: row.computed_at, streakTier: tier, metrics };
}

/** A profile that was recomputed meanwhile is left unchanged; the next comparison includes it. */
async function writeRanks(session: Session, ranks: readonly Rank[]): Promise<void> {
  const traderIds = ranks.map((row) => row.traderId);
  const computedAt = ranks.map((row) => row.computedAt);
  const streakTiers = ranks.map((row) => row.streakTier);
  const smartScores = ranks.map((row) => row.metrics.smart_score);
  const copyScores = ranks.map((row) => row.metrics.copy_score);
  const metrics = ranks.map((row) => JSON.stringify(row.metrics));
  await run(
    session,
    sql`update ${tp} set ${columnName(tp.streakTier)} = rank.streak_tier,
       ${columnName(tp.smartScore)} = rank.smart_score, ${columnName(tp.copyScore)} = rank.copy_score,
       ${columnName(tp.profile)} = jsonb_set(${tp.profile}, '{metrics}', rank.metrics)
     from unnest(${array(traderIds, "bigint")}, ${array(computedAt, "timestamptz")}, ${array(streakTiers, "text")},
       ${array(smartScores, "float8")}, ${array(copyScores, "float8")}, ${array(metrics, "jsonb")})
       as rank(trader_id, computed_at, streak_tier, smart_score, copy_score, metrics)
     where ${tp.traderId} = rank.trader_id and ${tp.computedAt} = rank.computed_at`,
  );
}
