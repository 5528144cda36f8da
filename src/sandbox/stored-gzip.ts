import { crc32 } from "node:zlib";
import { joinBytes } from "../lib/join-bytes.ts";

/** The largest stored block (RFC 1951, section 3.2.4). */
const MAX_BYTES = 65_535;

/**
 * A gzip member with the content as one stored block. It does not compress: equal content gives equal bytes with every
 * version of the compressor, so a published hash stays true. Source: RFC 1951, 1952.
 *
 * @throws RangeError for more content than one block has
 */
export function storedGzip(content: Uint8Array): Uint8Array {
  if (content.length > MAX_BYTES) throw new RangeError(`more than ${MAX_BYTES} bytes of content`);
  const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  const block = new DataView(new ArrayBuffer(5));
  block.setUint8(0, 1);
  block.setUint16(1, content.length, true);
  block.setUint16(3, content.length ^ 0xffff, true);
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc32(content), true);
  trailer.setUint32(4, content.length, true);
  return joinBytes([header, new Uint8Array(block.buffer), content, new Uint8Array(trailer.buffer)]);
}
