import { constants, crc32, deflateRawSync } from "node:zlib";

/** The state of a gzip stream between two pages, as plain JSON. */
export interface GzipState {
  /** CRC-32 of the bytes so far, unsigned. */
  readonly crc: number;
  /** Bytes so far, before compression. */
  readonly length: number;
}

const LEVEL = 6;

/**
 * One gzip member that is written page by page, and continued in another process from its state. Every page is
 * compressed alone and ends on a byte boundary (a sync flush), so its bytes depend on nothing but the page.
 * Several members in one file would be simpler, but browsers read only the first one. Source: RFC 1951, 1952.
 */
export class ResumableGzip {
  #crc: number;
  #length: number;

  constructor(state: GzipState | null = null) {
    this.#crc = state?.crc ?? 0;
    this.#length = state?.length ?? 0;
  }

  get state(): GzipState {
    return { crc: this.#crc, length: this.#length };
  }

  /** The first bytes of the file. Without time and operating system, so that equal content has equal bytes. */
  static header(): Uint8Array {
    return Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  }

  page(bytes: Uint8Array): Uint8Array {
    this.#crc = crc32(bytes, this.#crc);
    this.#length += bytes.length;
    return deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
  }

  /** The last bytes of the file: an empty final block, CRC-32 and length modulo 2^32. */
  trailer(): Uint8Array {
    const bytes = new Uint8Array(10);
    bytes[0] = 0x03;
    const view = new DataView(bytes.buffer);
    view.setUint32(2, this.#crc, true);
    view.setUint32(6, this.#length % 2 ** 32, true);
    return bytes;
  }
}
