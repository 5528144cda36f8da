import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import type { Env } from "../../../src/env.ts";
import { ArtifactWriter, PART_BYTES } from "../../../src/exports/artifact/artifact-writer.ts";
import { hashContent, hashIfAsWritten } from "../../../src/exports/artifact/read-back.ts";
import { R2ArtifactStore } from "../../../src/platform/artifacts/r2-artifact-store.ts";

const METADATA = { contentType: "application/x-ndjson", contentEncoding: "gzip" };
const store = new R2ArtifactStore((env as Env).ARTIFACTS);
const nothing = async () => undefined;
const rowsUpTo = (rows: number) => ({ position: rows, rows, tree: { size: 0, subtrees: [] }, parquet: null });
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function failed(): never {
  throw new Error("the file cannot be continued");
}

/** A page that gzip cannot make smaller. */
function aPage(random: () => number): Uint8Array {
  const words = new Uint32Array(450_000);
  for (let n = 0; n < words.length; n += 1) words[n] = random() * 2 ** 32;
  return new Uint8Array(words.buffer);
}

async function readAll(key: string): Promise<Uint8Array> {
  const body = await store.read(key);
  return new Uint8Array(await new Response(body).arrayBuffer());
}

describe("a file of several parts in R2", () => {
  test("is the same whether one consumer writes it or each page has its own", { timeout: 60_000 }, async () => {
    const pages = Array.from({ length: 5 }, (_, n) => aPage(mulberry32(inject("seed") + n)));
    const write = async (key: string, restartsAfterPages: number) => {
      let writer = ArtifactWriter.open(store, key, METADATA, PART_BYTES);
      for (const [n, page] of pages.entries()) {
        await writer.add(page);
        if ((n + 1) % restartsAfterPages !== 0) continue;
        const progress = await writer.checkpoint(`${key}-tail-${n}`, rowsUpTo(n));
        const from = JSON.parse(JSON.stringify(progress));
        writer = (await ArtifactWriter.resume(store, key, METADATA, PART_BYTES, from)) ?? failed();
      }
      const ended = await writer.end(rowsUpTo(pages.length));
      if (ended.kind === "bytes" || ended.progress.uploadId === null) throw new Error("the file has no parts");
      expect(ended.progress.parts).toHaveLength(2);
      const { parts, contentSizeBytes, end } = ended.progress;
      await store.resumeUpload(key, ended.progress.uploadId).complete(parts);
      const written = { pieces: parts, contentSizeBytes, contentSha256: end?.contentSha256 ?? null };
      return { written, compressed: await hashIfAsWritten(store, key, written, nothing), bytes: await readAll(key) };
    };
    const whole = await write("test/whole", Infinity);
    const pieces = await write("test/pieces", 1);
    expect(sha256(pieces.bytes)).toBe(sha256(whole.bytes));
    expect([whole.compressed, pieces.compressed]).toEqual([sha256(whole.bytes), sha256(whole.bytes)]);
    const contentSha256 = sha256(Buffer.concat(pages));
    expect([whole.written.contentSha256, pieces.written.contentSha256]).toEqual([contentSha256, null]);
    expect(await hashContent(store, "test/pieces", pieces.written, nothing)).toBe(contentSha256);
    const content = new Response(whole.bytes).body?.pipeThrough(new DecompressionStream("gzip"));
    const decoded = new Uint8Array(await new Response(content).arrayBuffer());
    expect([decoded.length, sha256(decoded)]).toEqual([whole.written.contentSizeBytes, contentSha256]);
  });

  test("is not accepted when the stored bytes differ in one place", async () => {
    const writer = ArtifactWriter.open(store, "test/small", METADATA, PART_BYTES);
    await writer.add(new TextEncoder().encode("one line\n"));
    const ended = await writer.end(rowsUpTo(1));
    if (ended.kind === "parts") throw new Error("the file has parts");
    const other = ended.bytes.slice();
    other[12] = (other[12] ?? 0) ^ 1;
    await store.put("test/small", ended.bytes, METADATA);
    expect(await hashIfAsWritten(store, "test/small", ended.written, nothing)).toBe(sha256(ended.bytes));
    for (const changed of [other, ended.bytes.slice(0, -1), new Uint8Array([...ended.bytes, 0])]) {
      await store.put("test/small", changed, METADATA);
      expect(await hashIfAsWritten(store, "test/small", ended.written, nothing)).toBeNull();
    }
  });

  test("is not continued when the bytes after its last part differ in one place", async () => {
    const writer = ArtifactWriter.open(store, "test/tail", METADATA, PART_BYTES);
    await writer.add(new TextEncoder().encode("one line\n"));
    const progress = await writer.checkpoint("test/tail-0", rowsUpTo(1));
    const tail = await readAll("test/tail-0");
    tail[12] = (tail[12] ?? 0) ^ 1;
    await store.put("test/tail-0", tail, METADATA);
    expect(await ArtifactWriter.resume(store, "test/tail", METADATA, PART_BYTES, progress)).toBeNull();
  });
});

test("R2 lists, deletes and reads ranges as the port says", async () => {
  for (const name of ["a", "b"]) await store.put(`test/list/${name}`, new Uint8Array([1, 2, 3, 4]), METADATA);
  expect((await store.list("test/list/")).keys).toEqual(["test/list/a", "test/list/b"]);
  const part = await store.read("test/list/a", { offset: 1, length: 2 });
  expect([...new Uint8Array(await new Response(part).arrayBuffer())]).toEqual([2, 3]);
  await store.delete(["test/list/a", "test/list/absent"]);
  expect(await store.head("test/list/a")).toBeNull();
  expect(await store.read("test/list/a")).toBeNull();
  expect(await store.head("test/list/b")).toMatchObject({ size: 4, ...METADATA });
});
