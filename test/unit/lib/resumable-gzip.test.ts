import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ResumableGzip } from "../../../src/lib/crypto/resumable-gzip.ts";

const stored = <T>(state: T): T => JSON.parse(JSON.stringify(state));

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
