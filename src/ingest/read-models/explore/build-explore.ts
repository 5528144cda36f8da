import type { Session } from "../../../db/client.ts";
import { allotGeneration, publishGeneration } from "../generation.ts";
import { addCounts, detailOf, findExploreState, saveExploreState, type ExploreFlags, type ExploreState } from "./explore-state.ts";
import { markAllEntries, takeDueEntries } from "./due-entries.ts";
import { readExploreFlags, refreshGradedMarkets } from "./graded-markets.ts";
import { pruneEntries, writeEntries } from "./write-entries.ts";

/** Another one when entries get something new: every entry is then written again, whatever has changed. */
const CONTENT = "versioned";

/** Entries that one step computes, which takes a fraction of a second. */
const ENTRIES_AT_ONCE = 1_000;

/** `more`: the step was cut off; `published`: a new generation stands; `unchanged`: the newest one still says how things are. */
export type ExploreStep = "more" | "published" | "unchanged";

/**
 * One step toward the next generation of market exploration: one entry for each event with several markets and for each market alone. Markets
 * without a title and combinations of markets are left out.
 *
 * Entries are computed when something they rest on has changed (`explore_changes`) or their time has come (`explore_due`), compared with what is
 * stored, and written only where they differ. A row stands from the generation it was added in to the one it was removed in, so that a generation
 * costs what has changed in it. Nothing written is seen before the last step publishes the generation.
 *
 * @param entriesAtOnce that a step computes; the statement's timeout bounds them
 */
export async function buildExplore(session: Session, entriesAtOnce: number = ENTRIES_AT_ONCE): Promise<ExploreStep> {
  const state = await findExploreState(session, CONTENT);
  if (state.marking !== null) {
    state.marking = await markAllEntries(session, state.marking);
    if (state.marking !== null) return save(session, state, "more");
  }
  if (!state.refreshed) {
    await refreshGradedMarkets(session);
    state.refreshed = true;
  }
  const { keys, after, more } = await takeDueEntries(session, state.due_after, entriesAtOnce);
  state.due_after = after;
  if (keys.length > 0) {
    state.generation ??= await allotGeneration(session);
    const { written, changes } = await writeEntries(session, state.generation, keys, state.rewrites);
    state.counts = addCounts(state.counts, changes);
    state.changed ||= written > 0;
  }
  if (more) return save(session, state, "more");
  const flags = await readExploreFlags(session);
  const isPublished = isNews(state, flags);
  if (isPublished) await publish(session, state, flags);
  const rested = { ...state, refreshed: false, rewrites: false, due_after: null };
  const next = isPublished ? { ...rested, generation: null, changed: false, published: flags } : rested;
  return save(session, next, isPublished ? "published" : "unchanged");
}

const isNews = ({ changed, published }: ExploreState, flags: ExploreFlags): boolean =>
  changed || published === null || published.day_known !== flags.day_known || published.cohort_known !== flags.cohort_known;

async function publish(session: Session, state: ExploreState, flags: ExploreFlags): Promise<void> {
  const generation = state.generation ?? (await allotGeneration(session));
  const rowCount = state.counts.reduce((sum, { count }) => sum + count, 0);
  await publishGeneration(session, "explore", { id: generation, rowCount, detail: detailOf(state.counts, flags) });
  await pruneEntries(session);
}

async function save(session: Session, state: ExploreState, step: ExploreStep): Promise<ExploreStep> {
  await saveExploreState(session, state);
  return step;
}
