import { joinBytes } from "../../lib/join-bytes.ts";
import { ResumableGzip } from "../../lib/crypto/resumable-gzip.ts";
import { ResumableSha256 } from "../../lib/crypto/resumable-sha256.ts";
import {
  ArtifactStoreUnavailable,
  type ArtifactMetadata,
  type ArtifactStore,
  type ArtifactUpload,
  type StoredArtifact,
  type UploadedPart,
} from "../../platform/artifacts/artifact-store.ts";
import { recordUpload } from "./object-keys.ts";
import { readArtifact } from "./read-artifact.ts";
import type { ArtifactProgress, RowProgress } from "./progress.ts";

/** All parts but the last have this size; R2 accepts none below 5 MiB. */
export const PART_BYTES = 5 * 1024 * 1024;

/** Sizes and hashes of a file: its content, and its bytes as stored. */
export interface ArtifactDigest {
  readonly contentSizeBytes: number;
  readonly contentSha256: string;
  readonly compressedSizeBytes: number;
  readonly compressedSha256: string;
}

/**
 * Writes one file in parts, as gzip or as it is, hashing its content and its stored bytes. It buffers less than two parts.
 * A writer that is opened from stored progress continues with the same bytes.
 */
export class ArtifactWriter {
  readonly #store: ArtifactStore;
  readonly #key: string;
  readonly #metadata: ArtifactMetadata;
  readonly #partBytes: number;
  readonly #content: ResumableSha256;
  readonly #compressed: ResumableSha256;
  /** Null for a file that is stored as it is: its content has the hash of the stored bytes. */
  readonly #gzip: ResumableGzip | null;
  readonly #parts: UploadedPart[];
  #upload: ArtifactUpload | null;
  #buffer: Uint8Array[];
  #buffered: number;

  private constructor(
    store: ArtifactStore,
    key: string,
    metadata: ArtifactMetadata,
    partBytes: number,
    from: ArtifactProgress | null,
    tail: Uint8Array,
  ) {
    this.#store = store;
    this.#key = key;
    this.#metadata = metadata;
    this.#partBytes = partBytes;
    this.#compressed = new ResumableSha256(from?.compressed ?? null);
    const isGzip = metadata.contentEncoding === "gzip";
    this.#content = isGzip ? new ResumableSha256(from?.content ?? null) : this.#compressed;
    this.#gzip = isGzip ? new ResumableGzip(from?.gzip ?? null) : null;
    this.#parts = [...(from?.parts ?? [])];
    this.#upload = from === null || from.uploadId === null ? null : store.resumeUpload(key, from.uploadId);
    this.#buffer = [tail];
    this.#buffered = tail.length;
  }

  static open(store: ArtifactStore, key: string, metadata: ArtifactMetadata, partBytes: number): ArtifactWriter {
    const writer = new ArtifactWriter(store, key, metadata, partBytes, null, new Uint8Array(0));
    if (writer.#gzip !== null) writer.#append(ResumableGzip.header());
    return writer;
  }

  /** @throws ArtifactStoreUnavailable when the tail object is gone or has another size */
  static async resume(
    store: ArtifactStore,
    key: string,
    metadata: ArtifactMetadata,
    partBytes: number,
    from: ArtifactProgress,
  ): Promise<ArtifactWriter> {
    const tail = from.tail === null ? new Uint8Array(0) : await readArtifact(store, from.tail.key);
    if (tail === null || tail.length !== (from.tail?.size ?? 0))
      throw new ArtifactStoreUnavailable(`the tail of ${key} is not as it was stored`);
    return new ArtifactWriter(store, key, metadata, partBytes, from, tail);
  }

  /** Adds content. @returns whether parts were stored, so that the progress should be saved */
  async add(content: Uint8Array): Promise<boolean> {
    if (this.#gzip !== null) this.#content.update(content);
    this.#append(this.#gzip === null ? content : this.#gzip.page(content));
    if (this.#buffered < this.#partBytes) return false;
    const bytes = this.#takeBuffer();
    let at = 0;
    const size = this.#partBytes;
    for (; bytes.length - at >= size; at += size) await this.#putPart(bytes.subarray(at, at + size));
    // A copy, so that the stored parts' memory is released.
    this.#keep(bytes.slice(at));
    return true;
  }

  /** Stores the buffered bytes under `tailKey`, and describes the state from which a writer continues. */
  async checkpoint(tailKey: string, rows: RowProgress): Promise<ArtifactProgress> {
    const tail = this.#takeBuffer();
    this.#keep(tail);
    if (tail.length > 0)
      await this.#store.put(tailKey, tail, { contentType: "application/octet-stream", contentEncoding: null });
    return this.#describe(rows, tail.length === 0 ? null : { key: tailKey, size: tail.length }, false);
  }

  /** Ends the file. One of less than one part is returned whole, a longer one has all parts stored. */
  async end(
    rows: RowProgress,
  ): Promise<
    | { readonly kind: "bytes"; readonly bytes: Uint8Array }
    | { readonly kind: "parts"; readonly progress: ArtifactProgress }
  > {
    if (this.#gzip !== null) this.#append(this.#gzip.trailer());
    const bytes = this.#takeBuffer();
    if (this.#upload === null) return { kind: "bytes", bytes };
    await this.#putPart(bytes);
    return { kind: "parts", progress: this.#describe(rows, null, true) };
  }

  /** Deletes the stored parts. Nothing can continue from them afterwards. */
  async abandon(): Promise<void> {
    await this.#upload?.abort();
  }

  digest(): ArtifactDigest {
    return digestOf({ content: this.#content.state, compressed: this.#compressed.state });
  }

  #describe(rows: RowProgress, tail: ArtifactProgress["tail"], isComplete: boolean): ArtifactProgress {
    return {
      ...rows,
      content: this.#content.state,
      gzip: this.#gzip?.state ?? null,
      compressed: this.#compressed.state,
      uploadId: this.#upload?.uploadId ?? null,
      parts: [...this.#parts],
      tail,
      isComplete,
    };
  }

  #append(bytes: Uint8Array): void {
    this.#compressed.update(bytes);
    this.#keep(bytes);
  }

  #keep(bytes: Uint8Array): void {
    this.#buffer.push(bytes);
    this.#buffered += bytes.length;
  }

  #takeBuffer(): Uint8Array {
    const bytes = joinBytes(this.#buffer);
    this.#buffer = [];
    this.#buffered = 0;
    return bytes;
  }

  async #startUpload(): Promise<ArtifactUpload> {
    const upload = await this.#store.startUpload(this.#key, this.#metadata);
    await recordUpload(this.#store, upload);
    return upload;
  }

  async #putPart(bytes: Uint8Array): Promise<void> {
    this.#upload ??= await this.#startUpload();
    this.#parts.push(await this.#upload.putPart(this.#parts.length + 1, bytes));
  }
}

export function digestOf({ content, compressed }: Pick<ArtifactProgress, "content" | "compressed">): ArtifactDigest {
  return {
    contentSizeBytes: content.length,
    contentSha256: new ResumableSha256(content).digestHex(),
    compressedSizeBytes: compressed.length,
    compressedSha256: new ResumableSha256(compressed).digestHex(),
  };
}

/** Whether an object is the file that was written, by its size and by the hash of its stored bytes. */
export async function isAsWritten(
  store: ArtifactStore,
  stored: StoredArtifact,
  digest: ArtifactDigest,
  onBytes: () => Promise<void>,
): Promise<boolean> {
  if (stored.size !== digest.compressedSizeBytes) return false;
  const body = await store.read(stored.key);
  if (body === null) return false;
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  for await (const chunk of body) {
    hash.update(chunk);
    await onBytes();
  }
  return hash.digest("hex") === digest.compressedSha256;
}
