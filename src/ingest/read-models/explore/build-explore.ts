import type { Session } from "../../../db/client.ts";
import { reserveGenerationId, publishGeneration } from "../generation.ts";
import {
  addCounts,
  exploreDetailOf,
  findExploreState,
  saveExploreState,
  type ExploreFlags,
  type ExploreState,
} from "./explore-state.ts";
import { dropExploreChanges, listNextExploreEntries, takeDueExploreEntries } from "./due-explore-entries.ts";
import { readExploreFlags, refreshGradedMarkets } from "./graded-markets.ts";
import { noteStoredRemovals, pruneExploreEntries, writeExploreEntries } from "./write-explore-entries.ts";

/** Version of the entry content. Change it when entries get a new field; every entry is then rewritten. */
const CONTENT = "versioned";

/** Entries that one step computes; a step takes a fraction of a second. */
const ENTRIES_AT_ONCE = 1_000;

/**
 * `more`: the step reached its limit; `published`: a new generation is published; `unchanged`: the newest
 * generation is still correct.
 */
export type ExploreStep = "more" | "published" | "unchanged";

/**
 * Runs one step toward the next generation of market exploration. It has one entry for each event with
 * several markets and one for each single market. Markets without a title and combinations of markets are
 * left out.
 *
 * An entry is computed when one of its inputs has changed (`explore_changes`) or when its time has come
 * (`explore_due`). It is compared with the stored entry and written only if it differs. A row is valid from
 * the generation it was added in up to the one it was removed in, so a generation costs only its changes.
 * Readers see nothing before the last step publishes the generation.
 *
 * @param entriesAtOnce entries that one step computes; bounded by the statement timeout
 */
export async function buildExplore(session: Session, entriesAtOnce: number = ENTRIES_AT_ONCE): Promise<ExploreStep> {
  const state = await findExploreState(session, CONTENT);
  if (!state.notes_removals) {
    await noteStoredRemovals(session);
    state.notes_removals = true;
  }
  if (!state.refreshed) {
    await refreshGradedMarkets(session);
    state.refreshed = true;
  }
  if (state.marking !== null) {
    // The first build reads every market, and nothing is stored that a change could remove.
    if (state.generation === null && state.published === null) await dropExploreChanges(session);
    const { keys, last } = await listNextExploreEntries(session, state.marking, entriesAtOnce);
    await write(session, state, keys);
    state.marking = last;
    if (last !== null) return save(session, state, "more");
    state.rewrites = false;
  }
  const { keys, after, more } = await takeDueExploreEntries(session, state.due_after, entriesAtOnce);
  state.due_after = after;
  await write(session, state, keys);
  if (more) return save(session, state, "more");
  const flags = await readExploreFlags(session);
  const isPublished = hasChanges(state, flags);
  if (isPublished) await publish(session, state, flags);
  const idle = { ...state, refreshed: false, rewrites: false, due_after: null };
  const next = isPublished ? { ...idle, generation: null, changed: false, published: flags } : idle;
  return save(session, next, isPublished ? "published" : "unchanged");
}

async function write(session: Session, state: ExploreState, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  state.generation ??= await reserveGenerationId(session);
  const { written, changes } = await writeExploreEntries(session, state.generation, keys, state.rewrites);
  state.counts = addCounts(state.counts, changes);
  state.changed ||= written > 0;
}

const hasChanges = ({ changed, published }: ExploreState, flags: ExploreFlags): boolean =>
  changed ||
  published === null ||
  published.day_known !== flags.day_known ||
  published.cohort_known !== flags.cohort_known;

async function publish(session: Session, state: ExploreState, flags: ExploreFlags): Promise<void> {
  const generation = state.generation ?? (await reserveGenerationId(session));
  const rowCount = state.counts.reduce((sum, { count }) => sum + count, 0);
  await publishGeneration(session, "explore", {
    id: generation,
    rowCount,
    detail: exploreDetailOf(state.counts, flags),
  });
  await pruneExploreEntries(session);
}

async function save(session: Session, state: ExploreState, step: ExploreStep): Promise<ExploreStep> {
  await saveExploreState(session, state);
  return step;
}
