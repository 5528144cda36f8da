import { createHash } from "node:crypto";

/*
 * An independent check of opened ledger entries: it uses nothing of the product, only the hash function of Node.
 */

interface Entry {
  readonly state: string;
  readonly payload: Readonly<Record<string, string | number>>;
  readonly commitment_nonce: string;
  readonly commitment_hash: string;
}

export interface Verification {
  /** Pick date and rank of each opened entry, as its payload or the entry says. */
  readonly matching: readonly string[];
  readonly differing: readonly string[];
  readonly sealed: number;
  readonly uncommitted: number;
}

/** Checks the entries anywhere inside a JSON value. */
export function verifyEntries(value: unknown): Verification {
  const entries = findEntries(value);
  const opened = entries.filter(({ state }) => state === "opened");
  const committed = opened.filter((entry) => typeof entry.commitment_hash === "string");
  return {
    matching: committed.filter(isMatching).map(nameOf),
    differing: committed.filter((entry) => !isMatching(entry)).map(nameOf),
    sealed: entries.filter(({ state }) => state === "sealed").length,
    uncommitted: entries.filter(({ state }) => state === "uncommitted").length + opened.length - committed.length,
  };
}

function findEntries(value: unknown): Entry[] {
  if (Array.isArray(value)) return value.flatMap(findEntries);
  if (typeof value !== "object" || value === null) return [];
  // Only the presence of `state` makes it an entry; a malformed one then fails the comparison.
  return "state" in value ? [value as Entry] : Object.values(value).flatMap(findEntries);
}

function isMatching({ payload, commitment_nonce: nonce, commitment_hash: hash }: Entry): boolean {
  if (typeof nonce !== "string" || !/^[0-9a-f]{64}$/.test(nonce) || typeof payload !== "object") return false;
  const keys = Object.keys(payload).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const canonical = `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(payload[key])}`).join(",")}}`;
  return createHash("sha256").update(canonical, "utf8").update(Buffer.from(nonce, "hex")).digest("hex") === hash;
}

const nameOf = (entry: Entry): string => {
  const { pick_date: date, pick_rank: rank, pick_id: id } = { ...entry.payload, ...entry } as Record<string, unknown>;
  return `${String(date)} ${rank === undefined ? `pick ${String(id)}` : `rank ${String(rank)}`}`;
};
