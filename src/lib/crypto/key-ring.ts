import { memoSettled } from "../memo-settled.ts";
import { hmacSha256, toHex } from "./hmac.ts";

/**
 * The secrets of one purpose. The current one hashes, seals and signs; the others only read what they once
 * wrote, so that a secret can be replaced without invalidating anything.
 */
export interface KeyRing {
  readonly current: string;
  readonly previous: readonly string[];
}

/** All secrets of a ring, the current one first. */
export const secretsOf = ({ current, previous }: KeyRing): readonly string[] => [current, ...previous];

const ID_BYTES = 4;
/**
 * The id of a secret, 8 hex digits, which stored values name. It follows from the secret, so that no id can be
 * configured for the wrong one, and tells nothing about a random secret.
 */
export const keyIdOf = memoSettled(50, (secret: string) => secret, deriveId);

async function deriveId(secret: string): Promise<string> {
  return toHex((await hmacSha256(secret, "key id")).subarray(0, ID_BYTES));
}

/** The secret with an id; null when the ring has none. */
export async function findSecret(ring: KeyRing, id: string): Promise<string | null> {
  for (const secret of secretsOf(ring)) if ((await keyIdOf(secret)) === id) return secret;
  return null;
}
