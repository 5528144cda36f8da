/** The state of a SHA-256 hash between two updates, as plain JSON. */
export interface Sha256State {
  /** The eight working words, as signed 32-bit integers. */
  readonly words: readonly number[];
  /** Bytes after the last whole block of 64, base64. */
  readonly rest: string;
  /** Bytes hashed so far. */
  readonly length: number;
}

const BLOCK = 64;
const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4). */
const ROUNDS = new Int32Array(
  [
    "428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3",
    "72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da",
    "983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85 2e1b2138 4d2c6dfc 53380d13",
    "650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070",
    "19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814 8cc70208",
    "90befffa a4506ceb bef9a3f7 c67178f2",
  ]
    .join(" ")
    .split(" ")
    .map((hex) => Number.parseInt(hex, 16) | 0),
);

/**
 * SHA-256 whose state can be stored between two updates, so that a hash continues in another process. The
 * platform's own digests cannot be continued. Source: FIPS 180-4.
 */
export class ResumableSha256 {
  // Signed, because the engine computes with 32-bit integers only where no value exceeds them.
  readonly #words: Int32Array;
  readonly #schedule = new Int32Array(64);
  readonly #block = new Uint8Array(BLOCK);
  #filled: number;
  #length: number;

  constructor(state: Sha256State | null = null) {
    this.#words = Int32Array.from(state?.words ?? INITIAL, (word) => word | 0);
    const rest = state === null ? "" : atob(state.rest);
    this.#filled = rest.length;
    this.#length = state?.length ?? 0;
    for (let at = 0; at < rest.length; at += 1) this.#block[at] = rest.charCodeAt(at);
  }

  get state(): Sha256State {
    return {
      words: [...this.#words],
      rest: btoa(String.fromCharCode(...this.#block.subarray(0, this.#filled))),
      length: this.#length,
    };
  }

  update(bytes: Uint8Array): this {
    this.#length += bytes.length;
    let at = 0;
    while (at < bytes.length) {
      if (this.#filled === 0 && bytes.length - at >= BLOCK) {
        this.#compress(bytes, at);
        at += BLOCK;
        continue;
      }
      const taken = Math.min(BLOCK - this.#filled, bytes.length - at);
      this.#block.set(bytes.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled === BLOCK) {
        this.#compress(this.#block, 0);
        this.#filled = 0;
      }
    }
    return this;
  }

  /** Lower-case hex. The state does not change, so more bytes may follow. */
  digestHex(): string {
    const last = new ResumableSha256(this.state);
    const padding = new Uint8Array((this.#filled < 56 ? BLOCK : 2 * BLOCK) - this.#filled);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(this.#length / 2 ** 29));
    view.setUint32(padding.length - 4, (this.#length * 8) % 2 ** 32);
    return [...last.update(padding).#words].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  #compress(bytes: Uint8Array, offset: number): void {
    const w = this.#schedule;
    const h = this.#words;
    for (let t = 0; t < 16; t += 1) {
      const at = offset + t * 4;
      w[t] =
        ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    }
    for (let t = 16; t < 64; t += 1) {
      const x = w[t - 15] ?? 0;
      const y = w[t - 2] ?? 0;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[t] = ((w[t - 16] ?? 0) + s0 + (w[t - 7] ?? 0) + s1) | 0;
    }
    let a = h[0] ?? 0;
    let b = h[1] ?? 0;
    let c = h[2] ?? 0;
    let d = h[3] ?? 0;
    let e = h[4] ?? 0;
    let f = h[5] ?? 0;
    let g = h[6] ?? 0;
    let i = h[7] ?? 0;
    for (let t = 0; t < 64; t += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const first = (i + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[t] ?? 0) + (w[t] ?? 0)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      i = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    h[0] = (h[0] ?? 0) + a;
    h[1] = (h[1] ?? 0) + b;
    h[2] = (h[2] ?? 0) + c;
    h[3] = (h[3] ?? 0) + d;
    h[4] = (h[4] ?? 0) + e;
    h[5] = (h[5] ?? 0) + f;
    h[6] = (h[6] ?? 0) + g;
    h[7] = (h[7] ?? 0) + i;
  }
}
