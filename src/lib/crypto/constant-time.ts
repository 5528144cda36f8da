import { timingSafeEqual } from "node:crypto";

/** Compares bytes in a time that does not depend on where they differ. */
export const isEqualInConstantTime = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);
