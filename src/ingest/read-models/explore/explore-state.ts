import { z } from "zod";
import type { Session } from "../../../db/client.ts";
import { findCheckpoint, saveCheckpoint } from "../../feeds/checkpoints.ts";

const FEED = "lists:explore";

/** Number of entries with the same category and flags. */
export const ExploreCount = z.object({
  category: z.string().nullable(),
  has_active: z.boolean(),
  has_closed: z.boolean(),
  count: z.number().int(),
});

export type ExploreCount = z.output<typeof ExploreCount>;

/**
 * Facts that are equal for all entries: whether the last 24 hours are recorded, and whether the open
 * positions of any graded trader are known.
 */
export const ExploreFlags = z.object({ day_known: z.boolean(), cohort_known: z.boolean() });

export type ExploreFlags = z.output<typeof ExploreFlags>;

/** The stored state of the build. */
const State = z.object({
  content: z.string(),
  /**
   * The market id after which entries are still to be rewritten, changed or not; null once all are. The previous release reads
   * this state, too, so the name stays.
   */
  marking: z.number().int().nullable(),
  /** Whether unchanged entries are rewritten too. */
  rewrites: z.boolean(),
  /** Whether the removals of rows that an earlier release ended are noted. */
  notes_removals: z.boolean().default(false),
  /** Whether the positions and trades of graded traders have been read for this generation. */
  refreshed: z.boolean(),
  /** The last entry taken by its due time in this generation; null before the first. */
  due_after: z.object({ due_at: z.string(), entry_key: z.string() }).nullable(),
  /** The generation that is being built; null before its first entry. */
  generation: z.number().int().nullable(),
  /** Whether it has an entry that differs from the last generation. */
  changed: z.boolean(),
  /** Counts over all its entries. */
  counts: z.array(ExploreCount),
  /** The flags of the last published generation; null before the first. */
  published: ExploreFlags.nullable(),
});

export type ExploreState = z.output<typeof State>;

/**
 * The build state for this content version. With another version, or without a state, the build starts by
 * rewriting every entry.
 */
export async function findExploreState(session: Session, content: string): Promise<ExploreState> {
  const state = await findCheckpoint(session, FEED, State);
  if (state?.content === content) return state;
  const fresh = { notes_removals: false, generation: null, changed: false, counts: [], published: null };
  return { ...(state ?? fresh), content, marking: 0, rewrites: true, refreshed: false, due_after: null };
}

export const saveExploreState = (session: Session, state: ExploreState): Promise<void> =>
  saveCheckpoint(session, FEED, state);

const keyOf = ({ category, has_active, has_closed }: ExploreCount): string =>
  JSON.stringify([category, has_active, has_closed]);

/** The counts after these changes, without zero counts, in a fixed order. */
export function addCounts(counts: readonly ExploreCount[], changes: readonly ExploreCount[]): ExploreCount[] {
  const sums = new Map<string, ExploreCount>();
  for (const count of [...counts, ...changes]) {
    const key = keyOf(count);
    sums.set(key, { ...count, count: count.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.entries()]
    .filter(([, { count }]) => count !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, count]) => count);
}

/**
 * The detail of the generation as a whole: facets (most frequent category first, then by name), counts and
 * flags.
 */
export function exploreDetailOf(counts: readonly ExploreCount[], flags: ExploreFlags) {
  const byCategory = new Map<string, number>();
  for (const { category, count } of counts)
    if (category !== null) byCategory.set(category, (byCategory.get(category) ?? 0) + count);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return {
    categories: [...byCategory]
      .toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
      .map(([value, count]) => ({ value, label: value, count })),
    platforms: [{ value: "polymarket", label: "Polymarket", count: total }],
    counts,
    ...flags,
  };
}
