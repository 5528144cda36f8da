import { lowerBound } from "../activity-log.ts";
import type { ActivityRecord } from "../provider-world.ts";
import { formatCursor, parseCursor } from "./cursor.ts";
import type { ProviderRequest } from "./request.ts";

export interface WalkOptions {
  /** The cursor's endpoint. */
  readonly type: string;
  /** In block order. */
  readonly list: readonly ActivityRecord[];
  /** Range of block times, inclusive, epoch seconds. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly ascending: boolean;
  readonly matches: (movement: ActivityRecord) => boolean;
  readonly present: (movement: ActivityRecord) => Record<string, unknown>;
}

const DESCENDING = 2;
const ASCENDING = 1;

/**
 * One page of a keyset walk over (time, sequence) in the Data API's envelope. The cursor stores anchor, size
 * and direction, no filters.
 */
export function walkPage(request: ProviderRequest, options: WalkOptions): unknown {
  const { list } = options;
  const text = request.query.text("cursor");
  const params = text === null ? null : parseCursor(options.type, text);
  const limit = params === null ? options.limit : Number(params["l"]);
  const ascending = params === null ? options.ascending : params["d"] === ASCENDING;
  const first = lowerBound(list, options.from, Number.NEGATIVE_INFINITY);
  const end = lowerBound(list, options.to, Number.POSITIVE_INFINITY);
  const anchor = params === null ? null : lowerBound(list, Number(params["ts"]), Number(params["sq"]));
  const most = request.shortPage ? Math.ceil(limit / 2) : limit;
  const rows: ActivityRecord[] = [];
  const step = ascending ? 1 : -1;
  let index = start({ ascending, first, end, anchor, list, params });
  for (; index >= first && index < end && rows.length <= most; index += step) {
    const movement = list[index];
    if (movement !== undefined && options.matches(movement)) rows.push(movement);
  }
  const hasMore = rows.length > most;
  if (hasMore) rows.pop();
  const last = rows.at(-1);
  const cursor =
    hasMore && last !== undefined
      ? formatCursor(options.type, {
          l: limit,
          ts: last.timestamp,
          sq: String(last.sequence),
          d: ascending ? ASCENDING : DESCENDING,
        })
      : null;
  return { data: rows.map(options.present), pagination: { limit, offset: 0, has_more: hasMore, next_cursor: cursor } };
}

/** The index of the first candidate after the anchor, in the walk's direction. */
function start(walk: {
  ascending: boolean;
  first: number;
  end: number;
  anchor: number | null;
  list: readonly ActivityRecord[];
  params: Record<string, string | number> | null;
}): number {
  if (walk.anchor === null) return walk.ascending ? walk.first : walk.end - 1;
  if (!walk.ascending) return Math.min(walk.anchor, walk.end) - 1;
  const atAnchor = walk.list[walk.anchor];
  const same = atAnchor !== undefined && atAnchor.sequence === Number(walk.params?.["sq"]);
  return Math.max(walk.anchor + (same ? 1 : 0), walk.first);
}
