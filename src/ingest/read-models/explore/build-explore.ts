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
import { markAllExploreEntries, takeDueExploreEntries } from "./due-explore-entries.ts";
import { readExploreFlags, refreshGradedMarkets } from "./graded-markets.ts";
import { pruneExploreEntries, writeExploreEntries } from "./write-explore-entries.ts";

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
  if (state.marking !== null) {
    state.marking = await markAllExploreEntries(session, state.marking);
    if (state.marking !== null) return save(session, state, "more");
  }
  if (!state.refreshed) {
    await refreshGradedMarkets(session);
    state.refreshed = true;
  }
  const { keys, after, more } = await takeDueExploreEntries(session, state.due_after, entriesAtOnce);
  state.due_after = after;
  if (keys.length > 0) {
    state.generation ??= await reserveGenerationId(session);
    const { written, changes } = await writeExploreEntries(session, state.generation, keys, state.rewrites);
    state.counts = addCounts(state.counts, changes);
    state.changed ||= written > 0;
  }
  if (more) return save(session, state, "more");
  const flags = await readExploreFlags(session);
  const isPublished = hasChanges(state, flags);
  if (isPublished) await publish(session, state, flags);
  const idle = { ...state, refreshed: false, rewrites: false, due_after: null };
  const next = isPublished ? { ...idle, generation: null, changed: false, published: flags } : idle;
  return save(session, next, isPublished ? "published" : "unchanged");
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
