import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ResumableGzip } from "../../../src/lib/crypto/resumable-gzip.ts";
import { ResumableSha256 } from "../../../src/lib/crypto/resumable-sha256.ts";

const stored = <T>(state: T): T => JSON.parse(JSON.stringify(state));
const encode = (text: string) => new TextEncoder().encode(text);

// FIPS 180-4, examples of SHA-256.
test.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
])("SHA-256 of %j is the published value", (text, hash) => {
  expect(new ResumableSha256().update(encode(text)).digestHex()).toBe(hash);
});

test("a hash that continues from its stored state equals that of all bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), (pieces) => {
      let hash = new ResumableSha256();
      for (const piece of pieces) hash = new ResumableSha256(stored(hash.update(piece).state));
      expect(hash.digestHex()).toBe(createHash("sha256").update(Buffer.concat(pieces)).digest("hex"));
    }),
  );
});

test("a gzip file that continues from its stored state is one member with all bytes, checked by its CRC-32", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 }), async (pages) => {
      let gzip = new ResumableGzip();
      const written = [ResumableGzip.header()];
      for (const page of pages) {
        written.push(gzip.page(page));
        gzip = new ResumableGzip(stored(gzip.state));
      }
      written.push(gzip.trailer());
      const file = Buffer.concat(written);
      const content = Buffer.concat(pages);
      expect(gunzipSync(file).equals(content)).toBe(true);
      // It refuses anything after the first member, as browsers do.
      const stream = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
      expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(content)).toBe(true);
    }),
  );
});
