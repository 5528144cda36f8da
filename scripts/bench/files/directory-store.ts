import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  appendFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ArtifactStore, ArtifactUpload, StoredArtifact } from "../../../src/platform/artifacts/artifact-store.ts";

const METADATA = { contentType: "application/octet-stream", contentEncoding: null };

/** Objects as files of one directory, so that they take no memory of the measured process. */
export class DirectoryStore implements ArtifactStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async put(key: string, bytes: Uint8Array): Promise<StoredArtifact> {
    writeFileSync(this.pathOf(key), bytes);
    return this.#describe(key);
  }

  async startUpload(key: string): Promise<ArtifactUpload> {
    return this.resumeUpload(key, crypto.randomUUID());
  }

  resumeUpload(key: string, uploadId: string): ArtifactUpload {
    const partPath = (partNumber: number) => this.pathOf(`${key}.${uploadId}.${partNumber}`);
    return {
      ...{ key, uploadId },
      async putPart(partNumber, bytes) {
        writeFileSync(partPath(partNumber), bytes);
        return { partNumber, etag: createHash("md5").update(bytes).digest("hex") };
      },
      complete: async (parts) => {
        for (const { partNumber } of parts) {
          appendFileSync(this.pathOf(key), readFileSync(partPath(partNumber)));
          rmSync(partPath(partNumber));
        }
        return this.#describe(key);
      },
      abort: async () => undefined,
    };
  }

  async head(key: string): Promise<StoredArtifact | null> {
    return existsSync(this.pathOf(key)) ? this.#describe(key) : null;
  }

  async read(key: string): Promise<ReadableStream<Uint8Array> | null> {
    if (!existsSync(this.pathOf(key))) return null;
    return Readable.toWeb(createReadStream(this.pathOf(key))) as ReadableStream<Uint8Array>;
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) rmSync(this.pathOf(key), { force: true });
  }

  async list(prefix: string): Promise<{ keys: readonly string[]; cursor: null }> {
    const keys = readdirSync(this.#dir).map(decodeURIComponent);
    return { keys: keys.filter((key) => key.startsWith(prefix)), cursor: null };
  }

  /** Where an object is. */
  pathOf(key: string): string {
    return join(this.#dir, encodeURIComponent(key));
  }

  #describe(key: string): StoredArtifact {
    return { ...METADATA, key, size: statSync(this.pathOf(key)).size, etag: `"${key}"` };
  }
}
