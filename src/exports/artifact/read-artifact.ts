import type { ArtifactStore } from "../../platform/artifacts/artifact-store.ts";

/** The bytes of a small object, or null when it does not exist. */
export async function readArtifact(store: ArtifactStore, key: string): Promise<Uint8Array | null> {
  const body = await store.read(key);
  return body === null ? null : new Uint8Array(await new Response(body).arrayBuffer());
}
