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

/** A store without files, for runs of jobs that write none. */
export const NO_FILES: JobContext["exports"] = { store: EMPTY_STORE, enqueue: () => Promise.resolve() };
