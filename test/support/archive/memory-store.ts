import type {
  ArtifactMetadata,
  ArtifactStore,
  ArtifactUpload,
  StoredArtifact,
} from "../../../src/platform/artifacts/artifact-store.ts";

/** Runs one visible step; a test may end the process before it. */
type Perform = <T>(step: () => Promise<T>) => Promise<T>;

/** Files in memory. Several stores may share one map, as processes share a bucket. */
export class MemoryStore implements ArtifactStore {
  readonly files: Map<string, Uint8Array>;
  readonly #perform: Perform;

  constructor(files: Map<string, Uint8Array> = new Map(), perform: Perform = (step) => step()) {
    this.files = files;
    this.#perform = perform;
  }

  put(key: string, bytes: Uint8Array, metadata: ArtifactMetadata): Promise<StoredArtifact> {
    return this.#perform(async () => {
      this.files.set(key, bytes.slice());
      return { key, size: bytes.length, etag: `"${key}"`, ...metadata };
    });
  }

  async head(key: string): Promise<StoredArtifact | null> {
    const bytes = this.files.get(key);
    return bytes === undefined
      ? null
      : { key, size: bytes.length, etag: `"${key}"`, contentType: "", contentEncoding: null };
  }

  async read(key: string): Promise<ReadableStream<Uint8Array> | null> {
    const bytes = this.files.get(key);
    return bytes === undefined ? null : new Blob([bytes.slice()]).stream();
  }

  async list(prefix: string): Promise<{ keys: readonly string[]; cursor: string | null }> {
    return { keys: [...this.files.keys()].filter((key) => key.startsWith(prefix)).sort(), cursor: null };
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.files.delete(key);
  }

  startUpload(): Promise<ArtifactUpload> {
    throw new Error("the archive puts whole files");
  }

  resumeUpload(): ArtifactUpload {
    throw new Error("the archive puts whole files");
  }
}
