import type { OutboxPage, OutboxPosition, StoredEvent } from "../../src/db/outbox.ts";
import { eventDataOf } from "../../src/domain/event-body.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../src/domain/event-catalogue.ts";
import { presentFrame, presentResync, type ResyncMarker, type StreamFrame } from "../../src/domain/stream/frame.ts";
import { facetsOf } from "./facets-of.ts";

/** How long frames can be replayed, and how many of them at most. */
export const RETAINED_MS = 24 * 3_600_000;
export const RETAINED_FRAMES = 50_000;

/** Clients close a connection over a frame of a mebibyte. JSON of so many characters can be three times as many bytes. */
const LONGEST_FRAME = 340_000;

/** All that the next number is given out from; it and the frames before it change together or not at all. */
export interface Sequence {
  /** The last number given out. */
  readonly lastSeq: number;
  /** When, Unix milliseconds: never falls, whatever the clock does, so that what is too old is always what comes first. */
  readonly publishedMs: number;
  /** Every event up to here has been given a number. */
  readonly place: OutboxPosition;
}

export interface Publication {
  readonly frames: readonly StreamFrame[];
  readonly sequence: Sequence;
}

/**
 * A sequence that begins at a place of the outbox. Its numbers begin at the clock's milliseconds: should a stream ever lose its storage, they
 * go on above those it gave out, because it gives out fewer than a thousand a second; clients then learn that frames are missing.
 */
export const beginSequence = (place: OutboxPosition, nowMs: number): Sequence => ({ lastSeq: nowMs, publishedMs: nowMs, place });

/**
 * Numbers what was found behind a sequence's place. Where events were lost to the stream, a marker takes a number of its own, so that those who
 * listen and those who come later all learn of it.
 *
 * @param goOnFrom with a page that is not whole, the place behind what is lost
 */
export function publishPage(sequence: Sequence, page: OutboxPage, goOnFrom: OutboxPosition | null, nowMs: number): Publication {
  const publishedMs = Math.max(sequence.publishedMs, nowMs);
  const publishedAt = new Date(publishedMs).toISOString();
  const isSameEpoch = page.epoch === sequence.place.epoch;
  // What a former epoch still shows is not told any more: nobody can say what of it came after the place.
  const events = isSameEpoch ? page.events : [];
  const frames: StreamFrame[] = [];
  const nextSeq = () => sequence.lastSeq + frames.length + 1;
  if (!page.isWhole) frames.push(markLost(nextSeq(), isSameEpoch ? "events_expired" : "events_restored"));
  for (const event of events) frames.push(...frameOf(nextSeq(), publishedAt, event, sequence.place.epoch));
  const last = events.at(-1);
  const place = last === undefined ? (goOnFrom ?? sequence.place) : { ...sequence.place, commitXid: last.commit_xid, id: last.id };
  return { frames, sequence: { lastSeq: sequence.lastSeq + frames.length, publishedMs, place } };
}

/** None for an event that this release does not know, or that nobody may be told of. */
function frameOf(seq: number, publishedAt: string, event: StoredEvent, epoch: number): StreamFrame[] {
  const type = EVENT_TYPES.find((known) => known === event.type);
  if (type === undefined) return [];
  const data = eventDataOf({ epoch, id: event.id, type, payload: event.payload, createdAt: event.created_at });
  const facets = facetsOf(type, data, event.account_id);
  if (facets === null) return [];
  const text = presentFrame(seq, publishedAt, EVENT_CATALOGUE[type].frame, data);
  return [text.length > LONGEST_FRAME ? markLost(seq, "frame_too_long") : { seq, text, facets }];
}

function markLost(seq: number, reason: string): StreamFrame {
  const marker: ResyncMarker = { id: seq, status: "lagged", reason, fromSequence: seq - 1, toSequence: seq + 1 };
  return { seq, text: presentResync(marker), facets: null };
}

/** The retained frames: all from `first` to `last`; none when `first` is one above `last`. */
export interface Retained {
  readonly first: number;
  readonly last: number;
}

export interface ReplayPlan {
  readonly marker: ResyncMarker | null;
  /** What is sent begins with the next frame after this. */
  readonly after: number;
}

/**
 * What somebody gets who has everything up to `cursor`.
 *
 * @param cursor a whole number; null for who only wants what comes
 */
export function planReplay({ first, last }: Retained, cursor: number | null): ReplayPlan {
  if (cursor === null) return { marker: null, after: last };
  const resync = (status: "truncated" | "reset", reason: string, after: number): ReplayPlan => ({
    marker: { id: after, status, reason, fromSequence: cursor, toSequence: after + 1 },
    after,
  });
  if (cursor > last) return resync("reset", "cursor_in_future", last);
  if (cursor < first - 1) return resync("truncated", "cursor_expired", first - 1);
  return { marker: null, after: cursor };
}
