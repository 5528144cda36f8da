import { inject } from "vitest";
import { mulberry32 } from "../../scripts/provider/simulate/random.ts";

const next = mulberry32(inject("seed"));

/** Fills an array as `crypto.getRandomValues` does, from the seed of the run (TEST_SEED). */
export function randomBytes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(next() * 256);
  return bytes;
}
