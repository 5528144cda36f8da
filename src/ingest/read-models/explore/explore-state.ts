import { z } from "zod";
import type { Session } from "../../../db/client.ts";
import { findCheckpoint, saveCheckpoint } from "../../checkpoints.ts";

const FEED = "lists:explore";

const Count = z.object({ category: z.string().nullable(), has_active: z.boolean(), has_closed: z.boolean(), count: z.number().int() });

/** Entries alike in what they are counted by. */
export type ExploreCount = z.output<typeof Count>;

const Flags = z.object({ day_known: z.boolean(), cohort_known: z.boolean() });

/** What is one for all entries: whether the last 24 hours are recorded, and whether any wallet's graded holdings are known at all. */
export type ExploreFlags = z.output<typeof Flags>;

/** Where the build stands. */
const State = z.object({
  content: z.string(),
  /** The market id after which entries are still to be marked as due; null once all are. */
  marking: z.number().int().nullable(),
  /** Whether entries are written though they are the same. */
  rewrites: z.boolean(),
  /** Whether what graded wallets hold and trade has been read for this generation. */
  refreshed: z.boolean(),
  /** The last entry taken by its time in this generation; null before the first. */
  due_after: z.object({ due_at: z.string(), entry_key: z.string() }).nullable(),
  /** The generation under way; null before its first entry. */
  generation: z.number().int().nullable(),
  /** Whether it has an entry that differs from the last one's. */
  changed: z.boolean(),
  /** All its entries. */
  counts: z.array(Count),
  /** What the last published generation says; null before the first. */
  published: Flags.nullable(),
});

export type ExploreState = z.output<typeof State>;

/** The state of the build of this content. Of other content, or of none, it begins with marking everything. */
export async function findExploreState(session: Session, content: string): Promise<ExploreState> {
  const state = await findCheckpoint(session, FEED, State);
  if (state?.content === content) return state;
  const fresh = { generation: null, changed: false, counts: [], published: null };
  return { ...(state ?? fresh), content, marking: 0, rewrites: true, refreshed: false, due_after: null };
}

export const saveExploreState = (session: Session, state: ExploreState): Promise<void> => saveCheckpoint(session, FEED, state);

const keyOf = ({ category, has_active, has_closed }: ExploreCount): string => JSON.stringify([category, has_active, has_closed]);

/** The counts after these changes, those of nothing left out, in a fixed order. */
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

/** What readers are told of the generation as a whole: facets, the most frequent category first, then by name; counts; flags. */
export function detailOf(counts: readonly ExploreCount[], flags: ExploreFlags) {
  const byCategory = new Map<string, number>();
  for (const { category, count } of counts) if (category !== null) byCategory.set(category, (byCategory.get(category) ?? 0) + count);
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
