import type { ArtifactStore } from "../../platform/artifacts/artifact-store.ts";

/** Every object of every job is below this prefix. */
export const EXPORTS_PREFIX = "exports/";

const prefixOf = (jobId: number): string => `${EXPORTS_PREFIX}${jobId}/`;

/**
 * The key of a file. It names the consumer that began the file, so that a consumer that has lost its lease
 * never writes to the file of the next one.
 */
export const fileKey = (jobId: number, token: string): string => `${prefixOf(jobId)}${token}/file`;

/** The key of the bytes that wait for the next part. Each checkpoint has its own. */
export const tailKey = (jobId: number, token: string, rows: number): string =>
  `${prefixOf(jobId)}${token}/tail-${rows}`;

/** The job of a key; null for a key that no job wrote. */
export function jobIdOf(key: string): number | null {
  const match = /^exports\/([1-9]\d{0,14})\//.exec(key);
  return match === null ? null : Number(match[1]);
}

/** Deletes the objects of a job, except the keys to keep. */
export async function deleteJobObjects(store: ArtifactStore, jobId: number, keep: readonly string[]): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ArtifactStore["list"]>> = await store.list(prefixOf(jobId), cursor ?? undefined);
    await store.delete(page.keys.filter((key) => !keep.includes(key)));
    ({ cursor } = page);
  } while (cursor !== null);
}
