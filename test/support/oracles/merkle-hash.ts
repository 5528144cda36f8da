import { createHash } from "node:crypto";

/**
 * The Merkle tree hash of RFC 6962, section 2.1, written as its definition: MTH({}) = SHA-256(), MTH({d}) =
 * SHA-256(0 || d), MTH(D[n]) = SHA-256(1 || MTH(D[0:k]) || MTH(D[k:n])), k the largest power of two below n.
 *
 * @param data the leaves themselves, in hex
 * @returns hex
 */
export function merkleHash(data: readonly string[]): string {
  if (data.length <= 1) return sha256(data.length === 0 ? "" : `00${data[0]}`);
  const k = 2 ** Math.floor(Math.log2(data.length - 1));
  return sha256(`01${merkleHash(data.slice(0, k))}${merkleHash(data.slice(k))}`);
}

const sha256 = (hex: string): string => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex");
