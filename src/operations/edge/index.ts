import type { Operation } from "../../api/operation.ts";
import { getEdgeHunter } from "./get-edge-hunter.ts";
import { listPreGameSideObservations, listSportsEdgeObservations } from "./list-observations.ts";
import { listPreGameSides } from "./list-pre-game-sides.ts";
import { listSportsEdgeSignals } from "./list-sports-edge-signals.ts";

export const EDGE_OPERATIONS: readonly Operation[] = [
  listPreGameSides,
  listPreGameSideObservations,
  listSportsEdgeObservations,
  getEdgeHunter,
  listSportsEdgeSignals,
];
