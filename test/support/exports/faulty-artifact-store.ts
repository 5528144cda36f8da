import {
  ArtifactStoreUnavailable,
  type ArtifactMetadata,
  type ArtifactStore,
  type ArtifactUpload,
  type StoredArtifact,
  type UploadedPart,
} from "../../../src/platform/artifacts/artifact-store.ts";

type Step = "put" | "start" | "part" | "complete" | "abort" | "head" | "read" | "delete" | "list";
/**
 * `refuse`: the call does nothing and fails. `lose_answer`: it is carried out and fails. `lose_part`: a part is not
 * stored. `change_bytes`: an object or a part is stored with another byte. A function runs after the call is carried out, before its answer.
 */
export type Fault = "refuse" | "lose_answer" | "lose_part" | "change_bytes" | (() => Promise<void>) | null;

interface ArtifactEntry extends ArtifactMetadata {
  readonly bytes: Uint8Array;
}

/** As in R2, each upload of a part has an ETag of its own, also when its bytes are equal. */
interface StoredPart {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** An object store in memory with the rules of R2 for parts, and faults. It outlives the consumers that use it. */
export class FaultyArtifactStore implements ArtifactStore {
  readonly objects = new Map<string, ArtifactEntry>();
  readonly uploads = new Map<string, { key: string; metadata: ArtifactMetadata; parts: Map<number, StoredPart> }>();
  readonly steps: string[] = [];
  /** A promise delays the call. */
  faultOf: (step: Step, key: string) => Fault | Promise<Fault> = () => null;
  #uploadCount = 0;
  #partCount = 0;
  readonly #minPartBytes: number;

  constructor(minPartBytes = 0) {
    this.#minPartBytes = minPartBytes;
  }

  put(key: string, bytes: Uint8Array, metadata: ArtifactMetadata): Promise<StoredArtifact> {
    return this.#perform("put", key, (fault) => {
      this.objects.set(key, { bytes: asStored(bytes, fault), ...metadata });
      return this.#describe(key);
    });
  }

  startUpload(key: string, metadata: ArtifactMetadata): Promise<ArtifactUpload> {
    return this.#perform("start", key, () => {
      const uploadId = `upload-${(this.#uploadCount += 1)}`;
      this.uploads.set(uploadId, { key, metadata, parts: new Map() });
      return this.resumeUpload(key, uploadId);
    });
  }

  resumeUpload(key: string, uploadId: string): ArtifactUpload {
    const find = () => {
      const upload = this.uploads.get(uploadId);
      if (upload === undefined) throw new ArtifactStoreUnavailable("no such upload");
      return upload;
    };
    return {
      key,
      uploadId,
      putPart: (partNumber, bytes) =>
        this.#perform("part", key, (fault) => {
          const etag = `part-${(this.#partCount += 1)}`;
          if (fault !== "lose_part") find().parts.set(partNumber, { bytes: asStored(bytes, fault), etag });
          return { partNumber, etag };
        }),
      complete: (parts) => this.#perform("complete", key, () => this.#complete(uploadId, find(), parts)),
      abort: () => this.#perform("abort", key, () => void this.uploads.delete(uploadId)),
    };
  }

  head(key: string): Promise<StoredArtifact | null> {
    return this.#perform("head", key, () => (this.objects.has(key) ? this.#describe(key) : null));
  }

  read(key: string, range?: { offset: number; length: number }): Promise<ReadableStream<Uint8Array> | null> {
    return this.#perform("read", key, () => {
      const bytes = this.objects.get(key)?.bytes;
      if (bytes === undefined) return null;
      const part = range === undefined ? bytes : bytes.subarray(range.offset, range.offset + range.length);
      return new Response(part.slice()).body;
    });
  }

  delete(keys: readonly string[]): Promise<void> {
    return this.#perform("delete", keys.join(), () => {
      for (const key of keys) this.objects.delete(key);
    });
  }

  list(prefix: string, cursor?: string): Promise<{ keys: readonly string[]; cursor: string | null }> {
    return this.#perform("list", prefix, () => {
      const all = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
      const rest = cursor === undefined ? all : all.filter((key) => key > cursor);
      const keys = rest.slice(0, 3);
      return { keys, cursor: rest.length > keys.length ? (keys.at(-1) ?? null) : null };
    });
  }

  #complete(
    uploadId: string,
    { key, metadata, parts }: { key: string; metadata: ArtifactMetadata; parts: Map<number, StoredPart> },
    named: readonly UploadedPart[],
  ): StoredArtifact {
    const pieces = named.map(({ partNumber, etag }, index) => {
      const part = parts.get(partNumber);
      if (part === undefined || part.etag !== etag) throw new ArtifactStoreUnavailable("a part is missing");
      const { bytes } = part;
      const isLast = index === named.length - 1;
      if (!isLast && (bytes.length !== parts.get(1)?.bytes.length || bytes.length < this.#minPartBytes))
        throw new ArtifactStoreUnavailable("all parts but the last must have one size");
      return bytes;
    });
    this.objects.set(key, { bytes: new Uint8Array(Buffer.concat(pieces)), ...metadata });
    this.uploads.delete(uploadId);
    return this.#describe(key);
  }

  #describe(key: string): StoredArtifact {
    const object = this.objects.get(key);
    if (object === undefined) throw new Error(`no object ${key}`);
    const { bytes, contentType, contentEncoding } = object;
    return { key, size: bytes.length, etag: `"${etagOf(bytes)}"`, contentType, contentEncoding };
  }

  async #perform<T>(step: Step, key: string, run: (fault: Fault) => T): Promise<T> {
    this.steps.push(step);
    const fault = await this.faultOf(step, key);
    if (fault === "refuse") throw new ArtifactStoreUnavailable(`the store refused: ${step}`);
    const result = run(fault);
    if (typeof fault === "function") await fault();
    if (fault === "lose_answer") throw new ArtifactStoreUnavailable(`the answer was lost: ${step}`);
    return result;
  }
}

function asStored(bytes: Uint8Array, fault: Fault): Uint8Array {
  const stored = bytes.slice();
  const middle = stored.length >> 1;
  if (fault === "change_bytes" && stored.length > 0) stored[middle] = (stored[middle] ?? 0) ^ 1;
  return stored;
}

function etagOf(bytes: Uint8Array): string {
  let hash = 0;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0;
  return `${bytes.length}-${hash >>> 0}`;
}
