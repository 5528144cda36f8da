import { z } from "zod";
import { openCursor, signCursor } from "../../api/cursor.ts";
import { ApiError } from "../../api/errors.ts";
import type { Config } from "../../config.ts";

/** A place in the outbox, with the filters it was given out under and the number of the trade it stands behind (0: none). */
const Place = z.object({
  epoch: z.int(),
  commitXid: z.string(),
  id: z.string(),
  filters: z.string(),
  sequence: z.int().min(0),
});

export type ReplayPlace = z.output<typeof Place>;

// The filters are inside and not part of the signature, so that a cursor of other filters is told from one that is none of ours.
const bindingOf = ({ cursorSecret }: Config) => ({ secret: cursorSecret, prefix: "evr_", list: "getEventReplaySince", filters: "" });

export const signPlace = (config: Config, place: ReplayPlace): Promise<string> => signCursor(bindingOf(config), place);

/** @throws ApiError invalid_query for what is none of ours, cursor_expired for one of other filters */
export async function openPlace(config: Config, cursor: string, filters: string): Promise<ReplayPlace> {
  const place = await openCursor(bindingOf(config), cursor, Place);
  if (place.filters !== filters) throw replayExpired("The cursor was given out under other filters.");
  return place;
}

export const replayExpired = (message: string): ApiError => new ApiError("cursor_expired", { param: "cursor", message });
