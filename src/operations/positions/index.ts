import type { Operation } from "../../api/operation.ts";
import { getPositionTimeline, getPositionTimelineById } from "./get-position-timeline.ts";
import { listLargePositions } from "./list-large-positions.ts";
import { listPositions } from "./list-positions.ts";

export const POSITION_OPERATIONS: readonly Operation[] = [
  listPositions,
  listLargePositions,
  getPositionTimeline,
  getPositionTimelineById,
];
