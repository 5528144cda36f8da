import type { Pool } from "@neondatabase/serverless";
import { z } from "zod";
import { inTransaction, type Session } from "../../db/client.ts";
import { StoredMeasures, StoredMetrics } from "../../domain/stored-profile.ts";
import { streakTier } from "../../scoring/metrics/streak-tier.ts";
import { findCheckpoint } from "../checkpoints.ts";
import type { Population } from "./compute-profile.ts";
import { loadPopulation } from "./load-population.ts";
import { compareMeasures } from "./stored-measures.ts";

/** While profiles change a little the comparison waits so long; once a twentieth of them are new it does not. */
const RANK_EVERY_SECONDS = 600;
const LARGE_CHANGE = 0.05;
const PROFILES_AT_ONCE = 1_000;

const FEED = "profiles:rank";

/** The comparison under way or, with `after` null, the last one: as of when, and after which wallet it goes on. */
const RankState = z.object({ as_of: z.iso.datetime(), after: z.number().nullable() });

type RankState = z.output<typeof RankState>;

/**
 * Whether the profiles have to be compared anew: a percentile is of a population, so every new profile may move everybody's. Also when a
 * comparison was begun and not ended.
 */
export async function isRankingDue(pool: Pool, now: Date): Promise<boolean> {
  return inTransaction(pool, async (session) => decideRanking(session, await findCheckpoint(session, FEED, RankState), now));
}

async function decideRanking(session: Session, state: RankState | null, now: Date): Promise<boolean> {
  if (state !== null && state.after !== null) return true;
  const { rows } = await session.query<{ fresh: number; total: number }>(
    `select (count(*) filter (where computed_at > coalesce($1::timestamptz, '-infinity')))::float8 as fresh, count(*)::float8 as total
     from trader_profiles`,
    [state?.as_of ?? null],
  );
  const { fresh, total } = rows[0] ?? { fresh: 0, total: 0 };
  if (fresh === 0) return false;
  const ageSeconds = state === null ? Infinity : (now.getTime() - Date.parse(state.as_of)) / 1000;
  return fresh >= LARGE_CHANGE * total || ageSeconds >= RANK_EVERY_SECONDS;
}

/**
 * Compares every profile with all others: percentiles, both scores, streak tiers, from stored measures alone. A batch a transaction, which
 * also says how far it came; what it ends in depends only on the measures, not on when or in which order they were stored.
 */
export async function rankProfiles(pool: Pool, now: Date, profilesAtOnce: number = PROFILES_AT_ONCE): Promise<void> {
  for (let goesOn = true; goesOn;) {
    goesOn = await inTransaction(pool, async (session) => {
      const state = await findCheckpoint(session, FEED, RankState);
      if (!(await decideRanking(session, state, now))) return false;
      const from: RankState = state === null || state.after === null ? { as_of: now.toISOString(), after: 0 } : state;
      const last = await rankBatch(session, from.after ?? 0, profilesAtOnce, await loadPopulation(session));
      await saveState(session, { ...from, after: last });
      return last !== null;
    });
  }
}

interface StoredRow {
  trader_id: string;
  computed_at: string;
  streak_tier: string | null;
  form: number | null;
  measures: unknown;
  metrics: unknown;
}

/** @returns the last wallet compared, or null when there are no more */
async function rankBatch(session: Session, after: number, limit: number, population: Population): Promise<number | null> {
  const { rows } = await session.query<StoredRow>(
    `select trader_id, computed_at::text as computed_at, streak_tier, form, profile -> 'measures' as measures, profile -> 'metrics' as metrics
     from trader_profiles where trader_id > $1 order by trader_id limit $2`,
    [after, limit],
  );
  const changed = rows.flatMap((row) => compareRow(row, population) ?? []);
  if (changed.length > 0) await writeRanks(session, changed);
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : Number(last.trader_id);
}

interface Rank {
  readonly traderId: string;
  readonly computedAt: string;
  readonly streakTier: string | null;
  readonly metrics: StoredMetrics;
}

/** @returns null when nothing has moved */
function compareRow(row: StoredRow, population: Population): Rank | null {
  const before = StoredMetrics.parse(row.metrics);
  const metrics = compareMeasures(StoredMeasures.parse(row.measures), population);
  const tier = streakTier(row.form, population.forms);
  const isSame = tier === row.streak_tier && StoredMetrics.keyof().options.every((name) => metrics[name] === before[name]);
  return isSame ? null : { traderId: row.trader_id, computedAt: row.computed_at, streakTier: tier, metrics };
}

/** A profile that was computed anew meanwhile is left alone: it is compared next time. */
async function writeRanks(session: Session, ranks: readonly Rank[]): Promise<void> {
  await session.query(
    `update trader_profiles p set streak_tier = t.streak_tier, smart_score = t.smart_score, copy_score = t.copy_score,
       profile = jsonb_set(p.profile, '{metrics}', t.metrics)
     from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::float8[], $5::float8[], $6::jsonb[])
       as t(trader_id, computed_at, streak_tier, smart_score, copy_score, metrics)
     where p.trader_id = t.trader_id and p.computed_at = t.computed_at`,
    [
      ranks.map((row) => row.traderId),
      ranks.map((row) => row.computedAt),
      ranks.map((row) => row.streakTier),
      ranks.map((row) => row.metrics.smart_score),
      ranks.map((row) => row.metrics.copy_score),
      ranks.map((row) => JSON.stringify(row.metrics)),
    ],
  );
}

async function saveState(session: Session, state: RankState): Promise<void> {
  await session.query(
    `insert into ingest_checkpoints (feed, state, updated_at) values ($1, $2, now())
     on conflict (feed) do update set state = excluded.state, updated_at = excluded.updated_at`,
    [FEED, JSON.stringify(state)],
  );
}
