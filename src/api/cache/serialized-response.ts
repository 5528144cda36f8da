import { z } from "zod";
import { sha256, toHex } from "../../lib/crypto/hmac.ts";

/**
 * A response body as it is cached: everything except the parts of `meta` that differ per request. Serving it
 * only concatenates strings.
 */
export interface SerializedResponse {
  /** The envelope's JSON up to `meta`, without its closing brace. */
  readonly head: string;
  /** The fields of `meta` that the operation adds, as JSON members; empty when it adds none. */
  readonly meta: string;
  /** A weak ETag; empty on operations that are not conditional. */
  readonly etag: string;
  readonly storedAtMs: number;
  /** See `SingleResult`. Neither cached nor stored for an Idempotency-Key. */
  readonly isReused?: true;
}

const Envelope = z.looseObject({ data: z.record(z.string(), z.unknown()) });
const OUTSIDE_VALIDATOR = new Set(["computed_at", "fresh_for_seconds"]);

export async function serializeResponse(
  envelope: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>>,
  conditional: boolean,
  now: number,
): Promise<SerializedResponse> {
  const body = JSON.stringify(envelope);
  return {
    head: body.slice(0, -1),
    meta: JSON.stringify(meta).slice(1, -1),
    etag: conditional ? `W/"${toHex((await sha256(stableBody(envelope, body))).subarray(0, 16))}"` : "",
    storedAtMs: now,
  };
}

/** Times at which figures were read or computed: alone they are no change. */
const CLOCKS = new Set(["as_of", "computed_at"]);

/**
 * The part of the body that the ETag covers: without clocks, except for those inside `data_quality`.
 */
function stableBody(envelope: Readonly<Record<string, unknown>>, body: string): string {
  const included = Object.entries(envelope).filter(([name]) => !OUTSIDE_VALIDATOR.has(name));
  // Visiting every field is the slowest step, and most bodies have nothing to leave out.
  const hasClocks = [...CLOCKS].some((name) => body.includes(`"${name}":`));
  if (!hasClocks && included.length === Object.keys(envelope).length) return body;
  return JSON.stringify(
    Object.fromEntries(included),
    hasClocks
      ? (key, value: unknown) => {
          if (key === "data_quality") return JSON.stringify(value);
          return CLOCKS.has(key) ? undefined : value;
        }
      : undefined,
  );
}

/** The response with null in place of these fields of `data`. */
export function withoutFields(answer: SerializedResponse, names: readonly string[]): SerializedResponse {
  if (names.length === 0) return answer;
  const envelope = Envelope.parse(JSON.parse(`${answer.head}}`));
  const data = { ...envelope.data, ...Object.fromEntries(names.map((name) => [name, null])) };
  return { ...answer, head: JSON.stringify({ ...envelope, data }).slice(0, -1) };
}

export function presentBody(
  answer: SerializedResponse,
  meta: { requestId: string; cost: number | null; cachedAgeSeconds: number | null },
): string {
  const age = meta.cachedAgeSeconds === null ? "" : `,"cache_age_s":${meta.cachedAgeSeconds}`;
  const extra = answer.meta === "" ? "" : `,${answer.meta}`;
  const cost = meta.cost === null ? "" : `,"cost":${meta.cost}`;
  const cached = meta.cachedAgeSeconds !== null;
  return `${answer.head},"meta":{"request_id":"${meta.requestId}","cached":${cached}${cost}${age}${extra}}}`;
}

// JSON has no raw line break, so the parts can be separated by one.
export function packResponse({ storedAtMs, etag, meta, head }: SerializedResponse): string {
  return [storedAtMs, etag, meta, head].join("\n");
}

/** @returns null for a text that `packResponse` did not write */
export function unpackResponse(packed: string): SerializedResponse | null {
  const [storedAt, etag, meta, head] = packed.split("\n");
  const storedAtMs = Number(storedAt);
  if (etag === undefined || meta === undefined || head === undefined || !Number.isFinite(storedAtMs)) return null;
  return { head, meta, etag, storedAtMs };
}

/** Whether an If-None-Match header names this validator; comparison is weak. */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null || etag === "") return false;
  const opaque = etag.replace(/^W\//, "");
  return header
    .split(",")
    .some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === opaque);
}
