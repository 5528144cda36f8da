import type { BatchHead } from "../../messages/stream.ts";

/** How far one connection has come with the stream. */
export interface Session {
  /** All up to here has been taken for the client; null until the first page has come. */
  readonly covered: number | null;
  /**
   * `live`: told of what comes. `reading`: a page was asked for, and only it counts. `full`: the client reads too slowly, and nothing is asked for
   * until it has read what is there. `apart`: the same, with the link lost.
   */
  readonly phase: "live" | "reading" | "full" | "apart";
}

/** What is to be done at the link: ask for what comes after `covered`, ask for nothing to be sent, or join anew. */
export type Ask = "more" | "pause" | "join" | null;

export interface Taking {
  readonly session: Session;
  /** Whether the batch's frames go to the client; if not they are dropped, and asked for again. */
  readonly isTaken: boolean;
  readonly ask: Ask;
}

/** A connection that has just asked to join. */
export const beginSession = (cursor: number | null): Session => ({ covered: cursor, phase: "reading" });

/** What may wait for a client besides the page it is reading. */
export const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * What becomes of a batch. Only what joins what was covered is taken, so that the client gets no frame twice and misses none, whatever was sent
 * twice, late or not at all.
 *
 * @param bytes how long it is
 * @param waiting bytes that the client has not read yet
 */
export function takeBatch(session: Session, batch: BatchHead, bytes: number, waiting: number): Taking {
  const { covered, phase } = session;
  const isNext = covered === null || batch.from === covered;
  const ignored: Taking = { session, isTaken: false, ask: null };
  if (batch.isPage) {
    if (phase !== "reading" || !isNext) return ignored;
    return { session: { covered: batch.to, phase: batch.isHead ? "live" : "full" }, isTaken: true, ask: null };
  }
  if (phase !== "live" || covered === null || batch.to < covered) return ignored;
  if (!isNext) return batch.to === covered ? ignored : { session: { covered, phase: "reading" }, isTaken: false, ask: "more" };
  if (bytes > 0 && waiting + bytes > MOST_WAITING_BYTES) return { session: { covered, phase: "full" }, isTaken: false, ask: "pause" };
  return { session: { covered: batch.to, phase }, isTaken: true, ask: null };
}

/** The client has read all that was there. */
export function whenRead({ covered, phase }: Session): { session: Session; ask: Ask } {
  if (phase === "full") return { session: { covered, phase: "reading" }, ask: "more" };
  if (phase === "apart") return { session: { covered, phase: "reading" }, ask: "join" };
  return { session: { covered, phase }, ask: null };
}

/** The link is gone. @param hasRead whether the client has read all that was there */
export function whenLost({ covered }: Session, hasRead: boolean): { session: Session; ask: Ask } {
  return hasRead ? { session: { covered, phase: "reading" }, ask: "join" } : { session: { covered, phase: "apart" }, ask: null };
}
