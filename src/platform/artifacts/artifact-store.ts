/** How a stored object is served when it is downloaded. */
export interface ArtifactMetadata {
  readonly contentType: string;
  readonly contentEncoding: string | null;
}

export interface StoredArtifact extends ArtifactMetadata {
  readonly key: string;
  /** Bytes as stored. */
  readonly size: number;
  /** Quoted, as HTTP shows it. */
  readonly etag: string;
}

/** A part of a multipart upload that is stored. */
export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
}

/**
 * A multipart upload. Its parts survive the process that wrote them: `resumeUpload` continues with the same id.
 * All parts but the last have one size, of 5 MiB or more.
 */
export interface ArtifactUpload {
  readonly key: string;
  readonly uploadId: string;
  putPart(partNumber: number, bytes: Uint8Array): Promise<UploadedPart>;
  complete(parts: readonly UploadedPart[]): Promise<StoredArtifact>;
  /** Does nothing when the upload has ended. */
  abort(): Promise<void>;
}

/** Where files are stored: R2, or a fake in tests. Every method throws ArtifactStoreUnavailable when it gets no answer. */
export interface ArtifactStore {
  put(key: string, bytes: Uint8Array, metadata: ArtifactMetadata): Promise<StoredArtifact>;
  startUpload(key: string, metadata: ArtifactMetadata): Promise<ArtifactUpload>;
  resumeUpload(key: string, uploadId: string): ArtifactUpload;
  /** @returns null when there is no such object */
  head(key: string): Promise<StoredArtifact | null>;
  /** @param range bytes of the object; the whole object when absent @returns null when there is no such object */
  read(key: string, range?: { offset: number; length: number }): Promise<ReadableStream<Uint8Array> | null>;
  /** Does nothing for an absent object. */
  delete(keys: readonly string[]): Promise<void>;
  /** The keys below a prefix, in order, a page at a time. */
  list(prefix: string, cursor?: string): Promise<{ keys: readonly string[]; cursor: string | null }>;
}

export class ArtifactStoreUnavailable extends Error {
  override name = "ArtifactStoreUnavailable";
}
