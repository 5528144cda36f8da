import { EDGE_SPORTS, type EdgeSport, type StoredEdgeSnapshot } from "../../domain/edge/edge-snapshot.ts";
import { LIVE_FRAME_MAX_AGE_MS, SOURCE_MAX_AGE_MS } from "../../scoring/edge/parameters.ts";
import { countTerminals, isPartial } from "../../scoring/edge/sport-funnel.ts";
import type { TerminalReason } from "../../scoring/edge/terminal-reasons.ts";
import type { BoardRow } from "./load-board.ts";

export interface JudgedRow {
  readonly row: BoardRow;
  readonly reason: TerminalReason;
}

/** Whether no game of these rows was read recently: then nothing is known of the board, not even that it is empty. */
const isUnread = (rows: readonly BoardRow[]): boolean =>
  !rows.some(({ now_ms, read_at_ms }) => now_ms - read_at_ms <= SOURCE_MAX_AGE_MS);

/** The funnel of every sport of the board, and whether some verdict of the snapshot is open. */
export function describeBoard(judged: readonly JudgedRow[]): Pick<StoredEdgeSnapshot, "funnel" | "is_degraded"> {
  const isBoardUnread = isUnread(judged.map(({ row }) => row));
  const bySport = Map.groupBy(judged, ({ row }) => row.sport);
  return {
    is_degraded: isBoardUnread || isPartial(judged.map(({ reason }) => reason)),
    funnel: EDGE_SPORTS.map((sport) => describeSport(sport, bySport.get(sport) ?? [], isBoardUnread)),
  };
}

function describeSport(
  sport: EdgeSport,
  judged: readonly JudgedRow[],
  isBoardUnread: boolean,
): StoredEdgeSnapshot["funnel"][number] {
  const rows = judged.map(({ row }) => row);
  return {
    sport,
    board_input: rows.filter(({ market }) => market !== null).length,
    live_available: !isBoardUnread && rows.every(hasCurrentFrame),
    upcoming_status: upcomingStatus(judged, isBoardUnread),
    ...countTerminals(judged.map(({ reason }) => reason)),
  };
}

const hasCurrentFrame = ({ is_live, frame_at_ms, now_ms }: BoardRow): boolean =>
  !is_live || (frame_at_ms !== null && now_ms - frame_at_ms <= LIVE_FRAME_MAX_AGE_MS);

function upcomingStatus(judged: readonly JudgedRow[], isBoardUnread: boolean) {
  if (isBoardUnread) return "source_unavailable";
  if (judged.length === 0) return "not_configured";
  if (isUnread(judged.map(({ row }) => row))) return "source_unavailable";
  return judged.some(({ reason }) => reason === "capacity_limited") ? "capacity_limited" : "available";
}
