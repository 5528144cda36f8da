import type { FrameFacets } from "./frame-filter.ts";

/** One place of the sequence. */
export interface StreamFrame {
  readonly seq: number;
  /** The frame as it goes out, with the blank line that ends it: made once, sent to everybody. */
  readonly text: string;
  /** Null on a marker, which everybody gets. */
  readonly facets: FrameFacets | null;
}

/** Why frames cannot be replayed: too old, lost to the stream itself, or of a numbering that is not in force. */
export type ResyncStatus = "truncated" | "lagged" | "reset";

/** Stands for frames that cannot be sent. Whoever gets it reads the present state anew and goes on from the marker's id. */
export interface ResyncMarker {
  /** One below the first frame that follows. */
  readonly id: number;
  readonly status: ResyncStatus;
  readonly reason: string;
  /** The last sequence that was sent before. */
  readonly fromSequence: number;
  /** The first that follows. */
  readonly toSequence: number;
}

export function presentFrame(seq: number, publishedAt: string, type: string, data: Readonly<Record<string, unknown>>): string {
  const envelope = { seq, published_at: publishedAt, type };
  // First for its place and last for its value: no field of an event's own takes that of the envelope.
  return `id: ${seq}\ndata: ${JSON.stringify({ ...envelope, ...data, ...envelope })}\n\n`;
}

export function presentResync({ id, status, reason, fromSequence, toSequence }: ResyncMarker): string {
  const data = { type: "resync", completeness: { status, reason }, from_sequence: fromSequence, to_sequence: toSequence };
  return `id: ${id}\nevent: resync\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * The last frame of a stream that its server ends.
 *
 * @param id where a reconnect goes on; null when nothing is known of that yet
 * @param error what the reconnect would be answered with
 */
export function presentStreamError(id: number | null, error: object, retry: boolean): string {
  return `${id === null ? "" : `id: ${id}\n`}event: error\ndata: ${JSON.stringify({ type: "error", error, retry })}\n\n`;
}
