import type { BatchHeader } from "../../stream/stream-messages.ts";

/** Read state of one connection. */
export interface StreamSession {
  /** Sequence number up to which frames were accepted for the client; null before the first page. */
  readonly coveredSeq: number | null;
  /**
   * `live`: new frames are pushed. `reading`: a page was requested, and only that page is accepted. `full`:
   * the client reads too slowly; the next page is requested when the buffer is empty. `apart`: as `full`,
   * with the link lost.
   */
  readonly phase: "live" | "reading" | "full" | "apart";
}

/** Command for the link: request the frames after `covered`, pause pushes, or rejoin. */
export type LinkCommand = "more" | "pause" | "join" | null;

export interface BatchDecision {
  readonly session: StreamSession;
  /** Whether the frames of the batch go to the client. Otherwise they are dropped and requested again. */
  readonly isAccepted: boolean;
  readonly linkCommand: LinkCommand;
}

/** State of a connection that is joining. */
export const startStreamSession = (cursor: number | null): StreamSession => ({ coveredSeq: cursor, phase: "reading" });

/** Maximum bytes buffered for a client in addition to the page it is reading. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Decides about a batch. Only a batch that continues exactly at `covered` is accepted, so the client receives
 * every frame once, even when batches are repeated, late or lost.
 *
 * @param bytes size of the batch
 * @param bufferedBytes bytes that the client has not read yet
 */
export function decideBatch(
  session: StreamSession,
  batch: BatchHeader,
  bytes: number,
  bufferedBytes: number,
): BatchDecision {
  const { coveredSeq, phase } = session;
  const isNext = coveredSeq === null || batch.from === coveredSeq;
  const ignored: BatchDecision = { session, isAccepted: false, linkCommand: null };
  if (batch.isPage) {
    if (phase !== "reading" || !isNext) return ignored;
    return {
      session: { coveredSeq: batch.to, phase: batch.isHead ? "live" : "full" },
      isAccepted: true,
      linkCommand: null,
    };
  }
  if (phase !== "live" || coveredSeq === null || batch.to < coveredSeq) return ignored;
  if (!isNext)
    return batch.to === coveredSeq
      ? ignored
      : { session: { coveredSeq, phase: "reading" }, isAccepted: false, linkCommand: "more" };
  if (bytes > 0 && bufferedBytes + bytes > MAX_BUFFERED_BYTES)
    return { session: { coveredSeq, phase: "full" }, isAccepted: false, linkCommand: "pause" };
  return { session: { coveredSeq: batch.to, phase }, isAccepted: true, linkCommand: null };
}

/** The client has read the whole buffer. */
export function onBufferDrained({ coveredSeq, phase }: StreamSession): { session: StreamSession; ask: LinkCommand } {
  if (phase === "full") return { session: { coveredSeq, phase: "reading" }, ask: "more" };
  if (phase === "apart") return { session: { coveredSeq, phase: "reading" }, ask: "join" };
  return { session: { coveredSeq, phase }, ask: null };
}

/** The link was lost. @param hasRead whether the client has read the whole buffer */
export function onLinkLost(
  { coveredSeq }: StreamSession,
  hasRead: boolean,
): { session: StreamSession; ask: LinkCommand } {
  return hasRead
    ? { session: { coveredSeq, phase: "reading" }, ask: "join" }
    : { session: { coveredSeq, phase: "apart" }, ask: null };
}
