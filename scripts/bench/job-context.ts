import { PagePrefetcher } from "../../src/ingest/feeds/page-prefetcher.ts";
import { RecentFills } from "../../src/ingest/feeds/recent-fills.ts";
import { RowIdCache } from "../../src/ingest/feeds/row-id-cache.ts";
import { ScoreFrames } from "../../src/ingest/games/score-frames.ts";
import { ArtifactStoreUnavailable, type ArtifactStore } from "../../src/platform/artifacts/artifact-store.ts";
import type { JobContext } from "../../src/jobs/define-job.ts";

const refuse = () => Promise.reject(new ArtifactStoreUnavailable("no files are stored here"));

const EMPTY_STORE: ArtifactStore = {
  put: refuse,
  startUpload: refuse,
  resumeUpload: () => {
    throw new ArtifactStoreUnavailable("no files are stored here");
  },
  head: () => Promise.resolve(null),
  read: () => Promise.resolve(null),
  delete: () => Promise.resolve(),
  list: () => Promise.resolve({ keys: [], cursor: null }),
};

/** Seals nonces of a database that is deleted afterwards. */
export const DISPOSABLE_SEALING: JobContext["sealing"] = {
  keys: { current: "of a database that is deleted afterwards", previous: [] },
  random: (bytes) => crypto.getRandomValues(bytes),
};

/** The context of jobs that run outside the Worker: by default with new caches, and without files, archive and catalog. */
export const openJobContext = (
  given: Pick<JobContext, "pool" | "provider" | "enqueue" | "sealing"> & Partial<JobContext>,
): JobContext => ({
  rowIds: new RowIdCache(),
  recentFills: new RecentFills(),
  prefetcher: new PagePrefetcher(),
  scoreFrames: new ScoreFrames(),
  largeTradeMinUsd: 5_000,
  backfillDays: 0,
  archive: null,
  iceberg: null,
  chain: null,
  archiveRetentionDays: null,
  exports: { store: EMPTY_STORE, enqueue: () => Promise.resolve() },
  now: Date.now,
  scheduleWithin: () => undefined,
  ...given,
});
