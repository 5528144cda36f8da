/**
 * The commitment to a pick: SHA-256 over the canonical JSON of its frozen identity, followed by a random nonce.
 * The hash is published with the pick; payload and nonce are published once it has settled. Anyone can then
 * check that the pick existed unchanged at the time of the hash. The outcome is not part of it.
 */
export const COMMITMENT_ALGORITHM = "sha256(canonical_json(payload)||nonce)";

/** Version 1: the eight keys of `CommitmentPayload`. */
export const COMMITMENT_VERSION = 1;

export const NONCE_BYTES = 32;

export interface CommitmentPayload {
  /** A plain decimal with the stored decimals, such as `0.545000`. */
  readonly backed_price: string;
  readonly condition_id: string;
  /** Whole seconds in UTC: `2026-09-20T23:05:00Z`. */
  readonly kickoff: string;
  /** The product day: a date in US Eastern time. */
  readonly pick_date: string;
  readonly pick_outcome_index: number;
  readonly pick_outcome_label: string;
  readonly pick_rank: number;
  readonly platform: "polymarket";
}

export interface OpenedCommitment {
  readonly hash: string;
  readonly nonce: string;
  /** The canonical JSON, as it was hashed. */
  readonly payload: string;
}

type FlatObject = Readonly<Record<string, string | number>>;

const encoder = new TextEncoder();

/**
 * Compact JSON with the keys in the order of their UTF-8 bytes. `JSON.stringify` escapes exactly what RFC 8259
 * requires, in the short forms or as `\u00xx`, and nothing else.
 *
 * @throws RangeError for a number that is not a safe integer, and for text that is not valid Unicode
 */
export function canonicalJson(payload: FlatObject): string {
  const members = Object.entries(payload).map(([key, value]) => {
    const isExact = typeof value === "number" ? Number.isSafeInteger(value) : value.isWellFormed();
    if (!isExact) throw new RangeError(`${key} cannot be written exactly`);
    return [key, value] as const;
  });
  // All keys of payloads are ASCII, where the order of code units is the order of bytes.
  return JSON.stringify(Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * The canonical payload of a pick.
 *
 * @throws RangeError when the kickoff is not a whole second, or the price is not a plain decimal
 */
export function canonicalPayload(payload: CommitmentPayload): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(payload.kickoff)) throw new RangeError("kickoff is not a whole second");
  if (!/^\d+(\.\d+)?$/.test(payload.backed_price)) throw new RangeError("backed_price is not a plain decimal");
  const { backed_price, condition_id, kickoff, pick_date, pick_outcome_index, pick_outcome_label } = payload;
  const { pick_rank, platform } = payload;
  return canonicalJson({
    ...{ backed_price, condition_id, kickoff, pick_date, pick_outcome_index, pick_outcome_label },
    ...{ pick_rank, platform },
  });
}

/** @returns the kickoff as the payload writes it; null when it is not a whole second, which cannot be committed to */
export const commitmentInstant = (instant: Date): string | null =>
  instant.getTime() % 1000 === 0 ? instant.toISOString().replace(".000Z", "Z") : null;

/**
 * @param payload canonical JSON
 * @param nonce 64 lowercase hex digits
 * @returns the hash as 64 lowercase hex digits
 */
export async function commitmentHash(payload: string, nonce: string): Promise<string> {
  const text = encoder.encode(payload);
  const bytes = new Uint8Array(text.length + NONCE_BYTES);
  bytes.set(text);
  bytes.set(fromHex(nonce), text.length);
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Whether payload and nonce give the hash. */
export const isCommitmentTo = async ({ hash, nonce, payload }: OpenedCommitment): Promise<boolean> =>
  isNonce(nonce) && (await commitmentHash(payload, nonce)) === hash;

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const isNonce = (nonce: string): boolean => /^[0-9a-f]{64}$/.test(nonce);

function fromHex(nonce: string): Uint8Array {
  if (!isNonce(nonce)) throw new RangeError("a nonce has 64 lowercase hex digits");
  return Uint8Array.from(nonce.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
