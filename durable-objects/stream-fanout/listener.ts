import { z } from "zod";
import type { WatchlistMatches } from "../../src/domain/watchlists/watchlist-matches.ts";
import { mayReceive, passesFilter } from "../../src/stream/frame-filter.ts";
import type { StreamFrame } from "../../src/stream/frame.ts";
import { Subscription, type BatchHeader } from "../../src/stream/stream-messages.ts";
import type { FramePush } from "../event-stream/shard-feeds.ts";

/** Data attached to a socket that survives hibernation of the object. */
export const Attachment = z.object({
  subscription: Subscription,
  /**
   * `live`: gets pushes. `reading`: its requested page is being read. `waiting`: gets nothing until its next
   * request.
   */
  phase: z.enum(["live", "reading", "waiting"]),
  /** When the shard has to check its access, Unix milliseconds; absent when its Worker does. */
  accessDueMs: z.int().optional(),
});

export type Attachment = z.output<typeof Attachment>;

/** Progress of a live listener, in the shard's memory. */
export interface ListenerPosition {
  /** Sequence number up to which it has received messages. */
  readonly sentTo: number;
  /** Frames after `sentTo` up to this sequence number were checked, and none matches its filter. */
  readonly scannedTo: number;
}

/** A connected client, as the shard knows it. */
export interface Listener extends Attachment {
  /** Null when unknown, after hibernation of the object. */
  readonly position: ListenerPosition | null;
  /** Equal for all listeners that get the same public frames. */
  readonly filterKey: string;
}

export const listenerOf = (attachment: Attachment, position: ListenerPosition | null): Listener => ({
  ...attachment,
  position,
  filterKey: JSON.stringify(attachment.subscription.filter),
});

/**
 * Whether a frame goes to a subscription: permitted for the account, and matching the filter. Resync markers
 * go to all.
 */
export const isWanted = (
  { facets }: StreamFrame,
  { accountId, filter }: Subscription,
  matches: WatchlistMatches,
): boolean => facets === null || (mayReceive(facets, accountId) && passesFilter(facets, filter, accountId, matches));

/** @param matches of the frames' wallets with the subscription's watchlist */
export const textFor = (
  frames: readonly StreamFrame[],
  subscription: Subscription,
  matches: WatchlistMatches,
): string =>
  frames
    .filter((frame) => isWanted(frame, subscription, matches))
    .map(({ text }) => text)
    .join("");

/** A message's header and text, and the listener after the message has been sent. */
export interface PushPlan {
  readonly header: BatchHeader | null;
  readonly text: string;
  readonly listener: Listener;
}

/**
 * The message of a push to a live listener: the matching frames that it has not received; a heartbeat sends a
 * message even without frames. A push that does not adjoin the listener's position is sent from its own
 * start, so that the client sees the gap.
 *
 * @param textOf the matching frames of the push after a sequence number
 * @returns null when the push changes nothing for the listener; a null header when nothing is to be sent
 */
export function pushToListener(
  listener: Listener,
  push: FramePush,
  textOf: (after: number) => string,
): PushPlan | null {
  const { phase, position } = listener;
  if (phase !== "live") return null;
  const isAdjoining = position !== null && position.scannedTo >= push.after;
  if (isAdjoining && (position.scannedTo > push.to || (position.scannedTo === push.to && !push.isHeartbeat)))
    return null;
  const { sentTo, scannedTo } = isAdjoining ? position : { sentTo: push.after, scannedTo: push.after };
  const text = textOf(scannedTo);
  const isSent = text !== "" || push.isHeartbeat;
  return {
    header: isSent ? { from: sentTo, to: push.to, isPage: false, isHead: true } : null,
    text,
    listener: { ...listener, position: { sentTo: isSent ? push.to : sentTo, scannedTo: push.to } },
  };
}
