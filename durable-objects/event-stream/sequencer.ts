import type { OutboxPage, OutboxPosition, StoredEvent } from "../../src/events/outbox/outbox-reader.ts";
import { eventDataOf } from "../../src/events/event-body.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../src/events/registry.ts";
import { presentFrame, presentResync, type ResyncMarker, type StreamFrame } from "../../src/stream/frame.ts";
import { facetsOf } from "./facets-of.ts";
import { DAY_MS } from "../../src/scoring/utc-calendar.ts";

/** Retention of frames for replay, by age and by number. */
export const RETAINED_MS = DAY_MS;
export const RETAINED_FRAMES = 50_000;

/**
 * Clients close the connection on a frame above 1 MiB. A character of JSON takes up to three bytes in UTF-8.
 */
const MAX_FRAME_CHARACTERS = 340_000;

/**
 * The state from which the next sequence number is assigned. It changes in one transaction with the frames.
 */
export interface Sequence {
  /** The last assigned sequence number. */
  readonly lastSeq: number;
  /**
   * Time of that assignment, Unix milliseconds. It never decreases, even if the clock does, so old frames are
   * a prefix.
   */
  readonly publishedMs: number;
  /** Outbox position up to which every event has a sequence number. */
  readonly outboxPosition: OutboxPosition;
}

export interface Publication {
  readonly frames: readonly StreamFrame[];
  readonly sequence: Sequence;
}

/**
 * A sequence that starts at an outbox position. Its numbers start at the clock's Unix milliseconds: if the
 * stream loses its storage, new numbers are greater than all earlier ones, because it assigns fewer than
 * 1,000 per second. Clients then detect the missing frames.
 */
export const beginSequence = (position: OutboxPosition, nowMs: number): Sequence => ({
  lastSeq: nowMs,
  publishedMs: nowMs,
  outboxPosition: position,
});

/**
 * Assigns sequence numbers to a page of outbox events. Where events were lost, a resync marker takes its own
 * sequence number, so that current and later clients learn of the loss.
 *
 * @param resumeFrom for an incomplete page, the position after the lost events
 */
export function publishPage(
  sequence: Sequence,
  page: OutboxPage,
  resumeFrom: OutboxPosition | null,
  nowMs: number,
): Publication {
  const publishedMs = Math.max(sequence.publishedMs, nowMs);
  const publishedAt = new Date(publishedMs).toISOString();
  const isSameEpoch = page.epoch === sequence.outboxPosition.epoch;
  // Events of another epoch are skipped: their order relative to the position is unknown.
  const events = isSameEpoch ? page.events : [];
  const frames: StreamFrame[] = [];
  const nextSeq = () => sequence.lastSeq + frames.length + 1;
  if (!page.isContiguous) frames.push(resyncFrame(nextSeq(), isSameEpoch ? "events_expired" : "events_restored"));
  for (const event of events) frames.push(...framesOf(nextSeq(), publishedAt, event, sequence.outboxPosition.epoch));
  const last = events.at(-1);
  const position =
    last === undefined
      ? (resumeFrom ?? sequence.outboxPosition)
      : { ...sequence.outboxPosition, commitXid: last.commit_xid, id: last.id };
  return { frames, sequence: { lastSeq: sequence.lastSeq + frames.length, publishedMs, outboxPosition: position } };
}

/**
 * Empty for an event type that this release does not know, and for an event without a permitted recipient.
 */
function framesOf(seq: number, publishedAt: string, event: StoredEvent, epoch: number): StreamFrame[] {
  const type = EVENT_TYPES.find((known) => known === event.type);
  if (type === undefined) return [];
  const { id, identity, payload, created_at: createdAt } = event;
  const data = eventDataOf({ epoch, id, identity, type, payload, createdAt });
  const facets = facetsOf(type, data, event.account_id);
  if (facets === null) return [];
  const text = presentFrame(seq, publishedAt, EVENT_CATALOGUE[type].frame, data);
  return [text.length > MAX_FRAME_CHARACTERS ? resyncFrame(seq, "frame_too_long") : { seq, text, facets }];
}

function resyncFrame(seq: number, reason: string): StreamFrame {
  const marker: ResyncMarker = { id: seq, status: "lagged", reason, fromSequence: seq - 1, toSequence: seq + 1 };
  return { seq, text: presentResync(marker), facets: null };
}

/** Sequence numbers of the retained frames, `first` to `last` inclusive; empty when `first` is `last` + 1. */
export interface RetainedRange {
  readonly first: number;
  readonly last: number;
}

export interface ReplayPlan {
  readonly marker: ResyncMarker | null;
  /** The replay starts with the first frame after this sequence number. */
  readonly after: number;
}

/**
 * Decides the replay for a client that has every frame up to `cursor`.
 *
 * @param cursor an integer; null to receive new frames only
 */
export function planReplay({ first, last }: RetainedRange, cursor: number | null): ReplayPlan {
  if (cursor === null) return { marker: null, after: last };
  const resync = (status: "truncated" | "reset", reason: string, after: number): ReplayPlan => ({
    marker: { id: after, status, reason, fromSequence: cursor, toSequence: after + 1 },
    after,
  });
  if (cursor > last) return resync("reset", "cursor_in_future", last);
  if (cursor < first - 1) return resync("truncated", "cursor_expired", first - 1);
  return { marker: null, after: cursor };
}
