import type { ArtifactStore, ArtifactUpload } from "../../platform/artifacts/artifact-store.ts";

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

const UPLOAD_KEY = /^(.+)\.upload-([^/]+)$/;

/**
 * Stores which upload a file has, before its first part, in the key of an empty object. R2 cannot list uploads, so
 * the parts of a consumer that died would remain for the week after which R2 deletes them.
 */
export async function recordUpload(store: ArtifactStore, { key, uploadId }: ArtifactUpload): Promise<void> {
  const metadata = { contentType: "application/octet-stream", contentEncoding: null };
  await store.put(`${key}.upload-${encodeURIComponent(uploadId)}`, new Uint8Array(0), metadata);
}

/** Deletes objects of jobs. An upload that one of them names is aborted first. */
export async function deleteObjects(store: ArtifactStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const [, uploadedKey, uploadId] = UPLOAD_KEY.exec(key) ?? [];
    if (uploadedKey !== undefined && uploadId !== undefined)
      await store.resumeUpload(uploadedKey, decodeURIComponent(uploadId)).abort();
  }
  await store.delete(keys);
}

/** The job of a key; null for a key that no job wrote. */
export function jobIdOf(key: string): number | null {
  const match = /^exports\/([1-9]\d{0,14})\//.exec(key);
  return match === null ? null : Number(match[1]);
}

/** Deletes the objects and uploads of a job, except the keys to keep. */
export async function deleteJobObjects(store: ArtifactStore, jobId: number, keep: readonly string[]): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ArtifactStore["list"]>> = await store.list(prefixOf(jobId), cursor ?? undefined);
    await deleteObjects(
      store,
      page.keys.filter((key) => !keep.includes(key)),
    );
    ({ cursor } = page);
  } while (cursor !== null);
}
