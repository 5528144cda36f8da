import { sha256, toHex } from "../lib/hmac.ts";

/**
 * An answer as it is stored and sent: everything but the parts of `meta` that change with each request. Serving it is joining strings.
 */
export interface Answer {
  /** The envelope's JSON up to `meta`, without its closing brace. */
  readonly head: string;
  /** The operation's own fields of `meta`, as JSON members; empty when it adds none. */
  readonly meta: string;
  /** Weak, or empty on operations that are not conditional. */
  readonly etag: string;
  readonly storedAtMs: number;
}

const OUTSIDE_VALIDATOR = new Set(["computed_at", "fresh_for_seconds"]);

export async function makeAnswer(
  envelope: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>>,
  conditional: boolean,
  now: number,
): Promise<Answer> {
  const body = JSON.stringify(envelope);
  return {
    head: body.slice(0, -1),
    meta: JSON.stringify(meta).slice(1, -1),
    etag: conditional ? `W/"${toHex((await sha256(stableBody(envelope, body))).subarray(0, 16))}"` : "",
    storedAtMs: now,
  };
}

/** What the validator covers: no `as_of` but those of `data_quality`, and none of the clocks beside the data. */
function stableBody(envelope: Readonly<Record<string, unknown>>, body: string): string {
  const kept = Object.entries(envelope).filter(([name]) => !OUTSIDE_VALIDATOR.has(name));
  // Looking at every field takes longer than all else together, and most bodies have none to leave out.
  const hasClocks = body.includes('"as_of":');
  if (!hasClocks && kept.length === Object.keys(envelope).length) return body;
  return JSON.stringify(
    Object.fromEntries(kept),
    hasClocks
      ? (key, value: unknown) => {
          if (key === "data_quality") return JSON.stringify(value);
          return key === "as_of" ? undefined : value;
        }
      : undefined,
  );
}

export function presentBody(answer: Answer, meta: { requestId: string; cost: number | null; cachedAgeSeconds: number | null }): string {
  const age = meta.cachedAgeSeconds === null ? "" : `,"cache_age_s":${meta.cachedAgeSeconds}`;
  const extra = answer.meta === "" ? "" : `,${answer.meta}`;
  const cost = meta.cost === null ? "" : `,"cost":${meta.cost}`;
  const cached = meta.cachedAgeSeconds !== null;
  return `${answer.head},"meta":{"request_id":"${meta.requestId}","cached":${cached}${cost}${age}${extra}}}`;
}

// JSON has no raw line break, so lines can hold the parts.
export function packAnswer({ storedAtMs, etag, meta, head }: Answer): string {
  return [storedAtMs, etag, meta, head].join("\n");
}

/** @returns null for a text that `packAnswer` did not write */
export function unpackAnswer(packed: string): Answer | null {
  const [storedAt, etag, meta, head] = packed.split("\n");
  const storedAtMs = Number(storedAt);
  if (etag === undefined || meta === undefined || head === undefined || !Number.isFinite(storedAtMs)) return null;
  return { head, meta, etag, storedAtMs };
}

/** Whether an If-None-Match header names this validator; comparison is weak. */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null || etag === "") return false;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === opaque);
}
