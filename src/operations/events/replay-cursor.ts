import { z } from "zod";
import { openCursor, signCursor } from "../../api/request/cursor.ts";
import { ApiError } from "../../api/errors.ts";
import type { Config } from "../../config.ts";

/**
 * Position in the outbox, filters of the replay, and row number of the trade before the position (0: none).
 */
const ReplayPositionSchema = z.object({
  epoch: z.int(),
  commitXid: z.string(),
  id: z.string(),
  filters: z.string(),
  sequence: z.int().min(0),
});

export type ReplayPosition = z.output<typeof ReplayPositionSchema>;

// The filters are in the payload and not in the signature binding: a cursor with other filters returns
// cursor_expired, a forged one invalid_query.
const bindingOf = ({ cursorKeys }: Config) => ({
  keys: cursorKeys,
  prefix: "evr_",
  list: "getEventReplaySince",
  filters: "",
});

/**
 * The filters of a replay, as its cursors name them. Wallets and watchlist are added only where they are given, so that
 * cursors from before these filters stay valid.
 */
export function filterKey(filters: {
  readonly trader: string | null;
  readonly condition: string | null;
  readonly minGrade: string | null;
  readonly minSize: number | null;
  readonly wallets?: readonly string[] | null;
  readonly watchlistId?: number | null;
}): string {
  const { trader, condition, minGrade, minSize, wallets = null, watchlistId = null } = filters;
  const added = wallets === null && watchlistId === null ? [] : [wallets, watchlistId];
  return JSON.stringify([trader, condition, minGrade, minSize, ...added]);
}

export const signReplayCursor = (config: Config, position: ReplayPosition): Promise<string> =>
  signCursor(bindingOf(config), position);

/** @throws ApiError invalid_query for a forged cursor, cursor_expired for a cursor with other filters */
export async function openReplayCursor(config: Config, cursor: string, filters: string): Promise<ReplayPosition> {
  const position = await openCursor(bindingOf(config), cursor, ReplayPositionSchema);
  if (position.filters !== filters)
    throw replayCursorExpired(
      "The cursor was issued for other filters. Use the filters it was issued for, or start without a cursor.",
    );
  return position;
}

export const replayCursorExpired = (message: string): ApiError =>
  new ApiError("cursor_expired", { param: "cursor", message });
