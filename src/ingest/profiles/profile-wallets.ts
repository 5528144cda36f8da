import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Session } from "../../db/client.ts";
import { computeProfile, type ComputedProfile } from "./compute-profile.ts";
import { listDue, uncountedBasis } from "./due-profiles.ts";
import { loadHistories } from "./load-histories.ts";
import { loadPopulation } from "./load-population.ts";

/**
 * Computes and stores the profiles of those of these wallets that are due, in one transaction. Those of them that are not (any more) keep
 * what they have, so a message that comes twice changes nothing.
 *
 * @returns how many profiles were stored
 */
export async function profileWallets(pool: Pool, traderIds: readonly number[], now: Date): Promise<number> {
  return inTransaction(pool, async (session) => {
    // Basis and history have to be of one moment. Two writers of one profile collide, and the later one tries again.
    await session.query("set transaction isolation level repeatable read");
    const due = await listDue(session, traderIds, now);
    if (due.length === 0) return 0;
    const population = await loadPopulation(session);
    const asOf = now.toISOString().slice(0, 10);
    const ids = due.map((wallet) => wallet.traderId);
    const histories = await loadHistories(session, ids, asOf);
    const computed = due.flatMap(({ traderId, basis }) => {
      const history = histories.get(traderId);
      if (history === undefined) return [];
      const profile = computeProfile(history, asOf, population);
      const isCounted = profile.profile.category_skill.every(({ status }) => status !== "degraded");
      return [{ traderId, basis: isCounted ? basis : uncountedBasis(basis), ...profile }];
    });
    await writeProfiles(session, computed, now);
    return computed.length;
  });
}

type NewProfile = ComputedProfile & { readonly traderId: number; readonly basis: string };

async function writeProfiles(session: Session, profiles: readonly NewProfile[], now: Date): Promise<void> {
  await session.query(
    `insert into trader_profiles
       (trader_id, computed_at, basis, strategy, streak_tier, form, sharpe_30d, profit_factor, edge_consistency, smart_score, copy_score, profile)
     select trader_id, $1::timestamptz, basis, strategy, streak_tier, form, sharpe_30d, profit_factor, edge_consistency, smart_score, copy_score,
       profile
     from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[],
       $11::float8[], $12::jsonb[])
       as t(trader_id, basis, strategy, streak_tier, form, sharpe_30d, profit_factor, edge_consistency, smart_score, copy_score, profile)
     on conflict (trader_id) do update set
       computed_at = excluded.computed_at, basis = excluded.basis, strategy = excluded.strategy, streak_tier = excluded.streak_tier,
       form = excluded.form, sharpe_30d = excluded.sharpe_30d, profit_factor = excluded.profit_factor,
       edge_consistency = excluded.edge_consistency, smart_score = excluded.smart_score, copy_score = excluded.copy_score,
       profile = excluded.profile`,
    [
      now.toISOString(),
      profiles.map((row) => row.traderId),
      profiles.map((row) => row.basis),
      profiles.map((row) => row.strategy),
      profiles.map((row) => row.streakTier),
      profiles.map((row) => row.form),
      profiles.map((row) => row.profile.metrics.sharpe_30d),
      profiles.map((row) => row.profile.metrics.profit_factor),
      profiles.map((row) => row.profile.metrics.edge_consistency),
      profiles.map((row) => row.profile.metrics.smart_score),
      profiles.map((row) => row.profile.metrics.copy_score),
      profiles.map((row) => JSON.stringify(row.profile)),
    ],
  );
}
