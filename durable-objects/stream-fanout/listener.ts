import { z } from "zod";
import { mayKnow, passesFilter } from "../../src/domain/stream/frame-filter.ts";
import type { StreamFrame } from "../../src/domain/stream/frame.ts";
import { Subscription, type BatchHead } from "../../src/messages/stream.ts";
import type { FramePush } from "../event-stream/shard-feeds.ts";

/** What stays with a socket while its object sleeps. */
export const Attachment = z.object({
  subscription: Subscription,
  /** `live`: told of what comes. `reading`: what it asked for is being read. `waiting`: told of nothing until it asks. */
  phase: z.enum(["live", "reading", "waiting"]),
});

export type Attachment = z.output<typeof Attachment>;

/** How far a live listener has come, as far as its shard remembers. */
export interface Place {
  /** The last place it was told. */
  readonly toldTo: number;
  /** Frames behind `toldTo` up to here have been looked at, and it wants none of them. */
  readonly seenTo: number;
}

/** Somebody who listens, as the shard knows it. */
export interface Listener extends Attachment {
  /** Null when it is not known: the object slept. */
  readonly place: Place | null;
  /** The same text for all that get the same frames of what is everybody's. */
  readonly filterKey: string;
}

export const listenerOf = (attachment: Attachment, place: Place | null): Listener => ({
  ...attachment,
  place,
  filterKey: JSON.stringify(attachment.subscription.filter),
});

/** Whether a frame goes to a subscription: first what it may be told of, then what it wants. Markers go to all. */
export const isWanted = ({ facets }: StreamFrame, { accountId, filter }: Subscription): boolean =>
  facets === null || (mayKnow(facets, accountId) && passesFilter(facets, filter));

export const textFor = (frames: readonly StreamFrame[], subscription: Subscription): string =>
  frames
    .filter((frame) => isWanted(frame, subscription))
    .map(({ text }) => text)
    .join("");

/** A message's head and text, and the listener as it is once that has been sent. */
export interface Telling {
  readonly head: BatchHead | null;
  readonly text: string;
  readonly listener: Listener;
}

/**
 * What a live listener is told of a push: what it wants of the frames that it was not told of, or of a beat also that there is nothing. A push
 * that does not join what was looked at before is told from its own beginning, so that the gap shows.
 *
 * @param textOf what it wants of the push's frames behind a place
 * @returns null when it has nothing for it; a head of null when nothing is to be sent
 */
export function tellListener(listener: Listener, push: FramePush, textOf: (after: number) => string): Telling | null {
  const { phase, place } = listener;
  if (phase !== "live") return null;
  const joins = place !== null && place.seenTo >= push.after;
  if (joins && (place.seenTo > push.to || (place.seenTo === push.to && !push.isBeat))) return null;
  const { toldTo, seenTo } = joins ? place : { toldTo: push.after, seenTo: push.after };
  const text = textOf(seenTo);
  const isTold = text !== "" || push.isBeat;
  return {
    head: isTold ? { from: toldTo, to: push.to, isPage: false, isHead: true } : null,
    text,
    listener: { ...listener, place: { toldTo: isTold ? push.to : toldTo, seenTo: push.to } },
  };
}
