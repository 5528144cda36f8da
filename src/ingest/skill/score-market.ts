import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { ev, m } from "../../db/aliases.ts";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { skillCloses, skillDue } from "../../db/schema.ts";
import { integer, isoText, run, selectRow } from "../../db/sql.ts";
import { combineSums, EMPTY_CLUSTER, type ClusterSums } from "../../scoring/skill/cluster-sums.ts";
import { NO_EVIDENCE, replaceCluster, replaceInStory, type SkillEvidence } from "../../scoring/skill/evidence.ts";
import { EMPTY_STORY } from "../../scoring/skill/story-sums.ts";
import {
  areSameSums,
  dropMarketSums,
  loadClusterSums,
  loadMarketSums,
  writeMarketSums,
  type MarketSums,
  type StoredMarketSums,
} from "./market-sums.ts";
import { nextTraders, readBets, type DueBets, type SliceLimits } from "./read-bets.ts";
import { digestOfClose, readClose, storeClose, type MarketClose } from "./read-close.ts";
import { lockSkill } from "./skill-lock.ts";
import { storyKeyOf } from "./story-key.ts";
import { loadStories, writeStories, type TraderStory } from "./story-sums.ts";
import { loadEvidence, writeEvidence } from "./trader-skill.ts";

const LIMITS: SliceLimits = { traders: 1_000, entries: 20_000 };

/**
 * Updates the bets of one due market, and the evidence of its traders, to what is recorded: one transaction
 * per slice of traders, then one that removes the market from `skill_due`, unless it became due again
 * meanwhile. After a crash it restarts and finds most of the work done.
 */
export async function scoreMarket(pool: Pool, marketId: number, limits: SliceLimits = LIMITS): Promise<void> {
  // The text of a timestamp keeps its microseconds.
  const due = await selectRow(
    sessionOf(pool),
    sql`select ${skillDue.since}::text as since, ${skillDue.traderIds}, ${skillCloses.digest} from ${skillDue}
     left join ${skillCloses} on ${skillCloses.marketId} = ${skillDue.marketId}
     where ${skillDue.marketId} = ${marketId}`,
    z.object({ since: z.string(), trader_ids: z.array(z.string()).nullable(), digest: z.string().nullable() }),
  );
  if (due === null) return;
  const id = String(marketId);
  const close = await readClose(sessionOf(pool), id);
  const digest = close === null ? null : await digestOfClose(close);
  // A trade of one trader moves the close of all others.
  const traderIds = digest === due.digest ? due.trader_ids : null;
  for (let after: number | null = 0; after !== null;) {
    const from: number = after;
    after = await inTransaction(pool, (session) =>
      scoreSlice(session, { marketId: id, traderIds }, close, from, limits),
    );
  }
  if (digest !== due.digest) await storeClose(sessionOf(pool), id, digest);
  await run(
    sessionOf(pool),
    sql`delete from ${skillDue}
     where ${skillDue.marketId} = ${marketId} and ${skillDue.since} = ${due.since}::timestamptz`,
  );
}

/** @returns the last trader scored when more follow, else null */
async function scoreSlice(
  session: Session,
  due: DueBets,
  close: MarketClose | null,
  after: number,
  limits: SliceLimits,
): Promise<number | null> {
  await lockSkill(session);
  const { traderIds, hasMore } = await nextTraders(session, due, after, limits);
  if (traderIds.length > 0) await scoreTraders(session, due.marketId, traderIds, close);
  return hasMore ? (traderIds.at(-1) ?? null) : null;
}

async function scoreTraders(
  session: Session,
  marketId: string,
  traderIds: readonly number[],
  close: MarketClose | null,
): Promise<void> {
  const place = await findPlace(session, marketId);
  const bets = await readBets(session, marketId, traderIds, close);
  const stored = await loadMarketSums(session, marketId, traderIds);
  const changes = traderIds.flatMap(
    (traderId) => decideChange(traderId, place, stored.get(traderId), bets.get(traderId)) ?? [],
  );
  if (changes.length === 0) return;
  const { evidence, stories } = await updateEvidence(session, changes);
  await writeEvidence(session, evidence);
  await writeStories(session, stories);
  await writeMarketSums(
    session,
    marketId,
    changes.flatMap(({ after }) => after ?? []),
  );
  await dropMarketSums(
    session,
    marketId,
    changes.filter(({ after }) => after === null).map(({ traderId }) => traderId),
  );
}

type Place = Pick<MarketSums, "cluster" | "story">;

/** The cluster of a market is its event, or the market itself if no event is known. The story is that of the event. */
async function findPlace(session: Session, marketId: string): Promise<Place> {
  const row = await selectRow(
    session,
    sql`select coalesce(${m.eventId}, -${m.id}) as cluster, ${ev.seriesSlug},
       ${isoText(sql`coalesce(${m.gameStartAt}, ${ev.endAt})`)} as night_at
     from ${m} left join ${ev} on ${ev.id} = ${m.eventId} where ${m.id} = ${marketId}`,
    z.object({ cluster: integer, series_slug: z.string().nullable(), night_at: z.string().nullable() }),
  );
  if (row === null) throw new Error(`no market ${marketId}`);
  const at = row.night_at === null ? null : new Date(row.night_at);
  return { cluster: row.cluster, story: await storyKeyOf(row.series_slug, at) };
}

/** The sums of a trader's bets in the market: stored (`before`) and current (`after`). */
interface SumsChange {
  readonly traderId: number;
  readonly before: MarketSums | null;
  readonly after: MarketSums | null;
}

function decideChange(
  traderId: number,
  place: Place,
  before: StoredMarketSums | undefined,
  bets: ClusterSums | undefined,
): SumsChange | null {
  const after = bets === undefined ? null : { traderId, ...place, ...bets };
  if (before === undefined) return after === null ? null : { traderId, before: null, after };
  const isSamePlace = before.cluster === place.cluster && before.story === place.story;
  return after !== null && before.isByStory && isSamePlace && areSameSums(before, after)
    ? null
    : { traderId, before, after };
}

interface Updates {
  readonly evidence: Map<number, SkillEvidence>;
  readonly stories: readonly TraderStory[];
}

/**
 * The changed evidence and stories of these traders. Call it before the new sums are written, because it reads the stored
 * ones.
 */
async function updateEvidence(session: Session, changes: readonly SumsChange[]): Promise<Updates> {
  const affected = new Map<string, MarketSums>();
  for (const { before, after } of changes)
    for (const sums of [before, after]) if (sums !== null) affected.set(keyOf(sums), sums);
  const stored = new Map((await loadClusterSums(session, [...affected.values()])).map((sums) => [keyOf(sums), sums]));
  const known = await loadStories(
    session,
    [...affected.values()].filter(({ story }) => story !== 0),
  );
  const stories = new Map<string, TraderStory>(known.map((story) => [storyKey(story), story]));
  const evidences = await loadEvidence(
    session,
    changes.map(({ traderId }) => traderId),
  );
  const changed = new Map<number, SkillEvidence>();
  for (const { traderId, before, after } of changes) {
    const old = evidences.get(traderId) ?? NO_EVIDENCE;
    let evidence = old;
    const places = new Map([before, after].flatMap((sums) => (sums === null ? [] : [[keyOf(sums), sums.story]])));
    for (const [key, story] of places) {
      const previous: ClusterSums = stored.get(key) ?? EMPTY_CLUSTER;
      const without = before !== null && keyOf(before) === key ? combineSums(previous, before, -1) : previous;
      const current = after !== null && keyOf(after) === key ? combineSums(without, after, 1) : without;
      if (story === 0) {
        evidence = replaceCluster(evidence, previous, current);
        continue;
      }
      const at = storyKey({ traderId, story });
      const next = replaceInStory(evidence, stories.get(at) ?? EMPTY_STORY, previous, current);
      evidence = next.evidence;
      stories.set(at, { traderId, story, ...next.story });
    }
    if (!isSameEvidence(old, evidence)) changed.set(traderId, evidence);
  }
  return { evidence: changed, stories: [...stories.values()] };
}

const keyOf = ({ traderId, cluster, story }: MarketSums): string => `${traderId}:${cluster}:${story}`;

const storyKey = ({ traderId, story }: Pick<TraderStory, "traderId" | "story">): string => `${traderId}:${story}`;

const isSameEvidence = (left: SkillEvidence, right: SkillEvidence): boolean =>
  Object.entries(left).every(([name, value]) => right[name as keyof SkillEvidence] === value);
