import { sha256 } from "../../domain/proofs/merkle-tree.ts";
import { toHex } from "../../domain/proofs/hex.ts";
import type { ArtifactMetadata, ArtifactStore } from "../../platform/artifacts/artifact-store.ts";

export const sha256Hex = (bytes: Uint8Array): string => toHex(sha256(bytes));

/**
 * Stores a file of the archive, whose files never change. The same bytes again change nothing.
 *
 * @throws Error when other bytes are stored under the key: the database is behind what it has published
 */
export async function putOnce(
  store: ArtifactStore,
  key: string,
  bytes: Uint8Array,
  metadata: ArtifactMetadata,
): Promise<void> {
  const stored = await store.read(key);
  if (stored === null) {
    await store.put(key, bytes, metadata);
    return;
  }
  const existing = new Uint8Array(await new Response(stored).arrayBuffer());
  if (sha256Hex(existing) !== sha256Hex(bytes)) throw new Error(`${key} is stored with other content`);
}
