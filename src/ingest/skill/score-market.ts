import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Session } from "../../db/client.ts";
import { EMPTY_CLUSTER, type ClusterSums } from "../../scoring/skill/cluster-sums.ts";
import { NO_EVIDENCE, replaceCluster, type SkillEvidence } from "../../scoring/skill/evidence.ts";
import {
  areSameSums,
  combineSums,
  dropMarketSums,
  loadClusterSums,
  loadMarketSums,
  writeMarketSums,
  type MarketSums,
} from "./market-sums.ts";
import { nextWallets, readBets, type DueBets, type SliceLimits } from "./read-bets.ts";
import { lockSkill } from "./skill-lock.ts";
import { loadEvidence, writeEvidence } from "./trader-skill.ts";

const LIMITS: SliceLimits = { wallets: 1_000, entries: 20_000 };

/**
 * Brings the bets of one due market, and the evidence of its wallets, in line with what is recorded: one transaction a slice of wallets,
 * then one that takes the market off the list, unless it became due anew meanwhile. Killed in between, it starts over and finds most of it done.
 */
export async function scoreMarket(pool: Pool, marketId: number, limits: SliceLimits = LIMITS): Promise<void> {
  const { rows } = await pool.query<{ since: string; trader_ids: string[] | null }>(
    `select since::text as since, trader_ids from skill_due where market_id = $1`,
    [marketId],
  );
  const [due] = rows;
  if (due === undefined) return;
  for (let after: number | null = 0; after !== null;) {
    const from: number = after;
    after = await inTransaction(pool, (session) =>
      scoreSlice(session, { marketId: String(marketId), traderIds: due.trader_ids }, from, limits),
    );
  }
  await pool.query(`delete from skill_due where market_id = $1 and since = $2::timestamptz`, [marketId, due.since]);
}

/** @returns the last wallet done when more follow, else null */
async function scoreSlice(session: Session, due: DueBets, after: number, limits: SliceLimits): Promise<number | null> {
  await lockSkill(session);
  const { traderIds, more } = await nextWallets(session, due, after, limits);
  if (traderIds.length > 0) await scoreWallets(session, due.marketId, traderIds);
  return more ? (traderIds.at(-1) ?? null) : null;
}

async function scoreWallets(session: Session, marketId: string, traderIds: readonly number[]): Promise<void> {
  const cluster = await findCluster(session, marketId);
  const bets = await readBets(session, marketId, traderIds);
  const stored = await loadMarketSums(session, marketId, traderIds);
  const moves = traderIds.flatMap((traderId) => decideMove(traderId, cluster, stored.get(traderId), bets.get(traderId)) ?? []);
  if (moves.length === 0) return;
  await writeEvidence(session, await moveEvidence(session, moves));
  await writeMarketSums(
    session,
    marketId,
    moves.flatMap(({ after }) => after ?? []),
  );
  await dropMarketSums(
    session,
    marketId,
    moves.filter(({ after }) => after === null).map(({ traderId }) => traderId),
  );
}

/** The event the market belongs to, or the market itself where no event is known. */
async function findCluster(session: Session, marketId: string): Promise<number> {
  const { rows } = await session.query<{ cluster: string }>(`select coalesce(event_id, -id) as cluster from markets where id = $1`, [
    marketId,
  ]);
  if (rows[0] === undefined) throw new Error(`no market ${marketId}`);
  return Number(rows[0].cluster);
}

/** A wallet's bets in the market, as stored and as they are. */
interface Move {
  readonly traderId: number;
  readonly before: MarketSums | null;
  readonly after: MarketSums | null;
}

function decideMove(traderId: number, cluster: number, before: MarketSums | undefined, bets: ClusterSums | undefined): Move | null {
  const after = bets === undefined ? null : { traderId, cluster, ...bets };
  if (before === undefined) return after === null ? null : { traderId, before: null, after };
  return after !== null && before.cluster === cluster && areSameSums(before, after) ? null : { traderId, before, after };
}

/** The evidence of the moved wallets that changes by it. Read before the bets themselves are written. */
async function moveEvidence(session: Session, moves: readonly Move[]): Promise<Map<number, SkillEvidence>> {
  const touched = new Map<string, MarketSums>();
  for (const { before, after } of moves) for (const sums of [before, after]) if (sums !== null) touched.set(keyOf(sums), sums);
  const stored = new Map((await loadClusterSums(session, [...touched.values()])).map((sums) => [keyOf(sums), sums]));
  const evidences = await loadEvidence(
    session,
    moves.map(({ traderId }) => traderId),
  );
  const changed = new Map<number, SkillEvidence>();
  for (const { traderId, before, after } of moves) {
    const old = evidences.get(traderId) ?? NO_EVIDENCE;
    let evidence = old;
    for (const key of new Set([before, after].flatMap((sums) => (sums === null ? [] : [keyOf(sums)])))) {
      const was: ClusterSums = stored.get(key) ?? EMPTY_CLUSTER;
      const without = before !== null && keyOf(before) === key ? combineSums(was, before, -1) : was;
      const is = after !== null && keyOf(after) === key ? combineSums(without, after, 1) : without;
      evidence = replaceCluster(evidence, was, is);
    }
    if (!isSameEvidence(old, evidence)) changed.set(traderId, evidence);
  }
  return changed;
}

const keyOf = ({ traderId, cluster }: MarketSums): string => `${traderId}:${cluster}`;

const isSameEvidence = (left: SkillEvidence, right: SkillEvidence): boolean =>
  Object.entries(left).every(([name, value]) => right[name as keyof SkillEvidence] === value);
