import {
  ArtifactStoreUnavailable,
  type ArtifactMetadata,
  type ArtifactStore,
  type ArtifactUpload,
  type StoredArtifact,
  type UploadedPart,
} from "./artifact-store.ts";

/** The artifact store over an R2 bucket. */
export class R2ArtifactStore implements ArtifactStore {
  readonly #bucket: R2Bucket;

  constructor(bucket: R2Bucket) {
    this.#bucket = bucket;
  }

  async put(key: string, bytes: Uint8Array, metadata: ArtifactMetadata): Promise<StoredArtifact> {
    return describe(await call(`put ${key}`, () => this.#bucket.put(key, bytes, toHttpMetadata(metadata))));
  }

  async startUpload(key: string, metadata: ArtifactMetadata): Promise<ArtifactUpload> {
    return new R2Upload(
      await call(`start ${key}`, () => this.#bucket.createMultipartUpload(key, toHttpMetadata(metadata))),
    );
  }

  resumeUpload(key: string, uploadId: string): ArtifactUpload {
    return new R2Upload(this.#bucket.resumeMultipartUpload(key, uploadId));
  }

  async head(key: string): Promise<StoredArtifact | null> {
    const object = await call(`head ${key}`, () => this.#bucket.head(key));
    return object === null ? null : describe(object);
  }

  async read(key: string, range?: { offset: number; length: number }): Promise<ReadableStream<Uint8Array> | null> {
    const object = await call(`read ${key}`, () => this.#bucket.get(key, range === undefined ? {} : { range }));
    return object === null ? null : object.body;
  }

  async delete(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await call(`delete ${keys.length} objects`, () => this.#bucket.delete([...keys]));
  }

  async list(prefix: string, cursor?: string): Promise<{ keys: readonly string[]; cursor: string | null }> {
    const page = await call(`list ${prefix}`, () =>
      this.#bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) }),
    );
    return { keys: page.objects.map(({ key }) => key), cursor: page.truncated ? page.cursor : null };
  }
}

class R2Upload implements ArtifactUpload {
  readonly #upload: R2MultipartUpload;

  constructor(upload: R2MultipartUpload) {
    this.#upload = upload;
  }

  get key(): string {
    return this.#upload.key;
  }

  get uploadId(): string {
    return this.#upload.uploadId;
  }

  async putPart(partNumber: number, bytes: Uint8Array): Promise<UploadedPart> {
    const { etag } = await call(`part ${partNumber} of ${this.key}`, () => this.#upload.uploadPart(partNumber, bytes));
    return { partNumber, etag };
  }

  async complete(parts: readonly UploadedPart[]): Promise<StoredArtifact> {
    return describe(await call(`complete ${this.key}`, () => this.#upload.complete([...parts])));
  }

  async abort(): Promise<void> {
    await call(`abort ${this.key}`, () => this.#upload.abort().catch(ignoreEnded));
  }
}

/** NoSuchUpload: it was completed, aborted, or deleted after a week. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Error) || !error.message.includes("(10024)")) throw error;
}

async function call<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new ArtifactStoreUnavailable(`R2 did not carry out: ${what}`, { cause });
  }
}

const toHttpMetadata = ({ contentType, contentEncoding }: ArtifactMetadata): R2PutOptions => ({
  httpMetadata: { contentType, ...(contentEncoding === null ? {} : { contentEncoding }) },
});

const describe = ({ key, size, httpEtag, httpMetadata }: R2Object): StoredArtifact => ({
  key,
  size,
  etag: httpEtag,
  contentType: httpMetadata?.contentType ?? "application/octet-stream",
  contentEncoding: httpMetadata?.contentEncoding ?? null,
});
