import { createHash } from "node:crypto";
import type { ArtifactStore } from "../../platform/artifacts/artifact-store.ts";
import type { WrittenFile } from "./artifact-writer.ts";

/**
 * Reads a stored file again and compares it with the pieces that were written.
 *
 * @param onBytes called between chunks
 * @returns the SHA-256 of the stored bytes; null when they are not the ones that were written
 */
export async function hashIfAsWritten(
  store: ArtifactStore,
  key: string,
  { pieces }: WrittenFile,
  onBytes: () => Promise<void>,
): Promise<string | null> {
  const body = await store.read(key);
  if (body === null) return null;
  const whole = createHash("sha256");
  let [index, piece, left] = [0, createHash("sha256"), pieces[0]?.size ?? 0];
  for await (const chunk of body) {
    whole.update(chunk);
    for (let at = 0; at < chunk.length;) {
      if (index >= pieces.length) return null;
      const taken = Math.min(left, chunk.length - at);
      piece.update(chunk.subarray(at, at + taken));
      [at, left] = [at + taken, left - taken];
      if (left > 0) continue;
      if (piece.digest("hex") !== pieces[index]?.sha256) return null;
      [index, piece] = [index + 1, createHash("sha256")];
      left = pieces[index]?.size ?? 0;
    }
    await onBytes();
  }
  return index === pieces.length ? whole.digest("hex") : null;
}

/**
 * The SHA-256 of the content of a gzip file that is stored as it was written. Its CRC-32 and length are those of the
 * content that was written, and both are compared here.
 *
 * @throws Error when the content is not the one that was written
 */
export async function hashContent(
  store: ArtifactStore,
  key: string,
  { contentSizeBytes }: WrittenFile,
  onBytes: () => Promise<void>,
): Promise<string> {
  const body = await store.read(key);
  if (body === null) throw new Error(`the file ${key} is gone`);
  const content = createHash("sha256");
  let size = 0;
  // It ends with an error when the CRC-32 or the length modulo 2^32 differs.
  for await (const chunk of body.pipeThrough(new DecompressionStream("gzip"))) {
    content.update(chunk);
    size += chunk.length;
    await onBytes();
  }
  if (size !== contentSizeBytes) throw new Error(`the file ${key} has ${size} of ${contentSizeBytes} bytes`);
  return content.digest("hex");
}
