import type { FrameFacets } from "./frame-filter.ts";

/** One numbered frame of the stream. */
export interface StreamFrame {
  readonly seq: number;
  /** The serialised frame, with the blank line that ends it: created once, sent to all connections. */
  readonly text: string;
  /** Null on a resync marker, which all connections receive. */
  readonly facets: FrameFacets | null;
}

/**
 * Why frames cannot be replayed: too old (`truncated`), lost by the stream itself (`lagged`), or numbered in
 * an earlier sequence (`reset`).
 */
export type ResyncStatus = "truncated" | "lagged" | "reset";

/**
 * Replaces frames that cannot be sent. The client must read the current state again and continue from the
 * marker's id.
 */
export interface ResyncMarker {
  /** The sequence number before the first frame that follows. */
  readonly id: number;
  readonly status: ResyncStatus;
  readonly reason: string;
  /** The last sequence number sent before the gap. */
  readonly fromSequence: number;
  /** The first sequence number after the gap. */
  readonly toSequence: number;
}

export function presentFrame(
  seq: number,
  publishedAt: string,
  type: string,
  data: Readonly<Record<string, unknown>>,
): string {
  const envelope = { seq, published_at: publishedAt, type };
  // The envelope comes first for the key order and last for its values: no field of the event can override
  // it.
  return `id: ${seq}\ndata: ${JSON.stringify({ ...envelope, ...data, ...envelope })}\n\n`;
}

export function presentResync({ id, status, reason, fromSequence, toSequence }: ResyncMarker): string {
  const data = {
    type: "resync",
    completeness: { status, reason },
    from_sequence: fromSequence,
    to_sequence: toSequence,
  };
  return `id: ${id}\nevent: resync\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * The last frame of a stream that the server ends.
 *
 * @param id where a reconnect continues; null while that is unknown
 * @param error the error response that a reconnect would get
 */
export function presentStreamError(id: number | null, error: object, retry: boolean): string {
  return `${id === null ? "" : `id: ${id}\n`}event: error\ndata: ${JSON.stringify({ type: "error", error, retry })}\n\n`;
}
