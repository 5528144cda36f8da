import { defineOperation, type Operation } from "../../api/operation.ts";
import { limitParam, requiredEnumParam, textParam } from "../../api/request/query-params.ts";
import { normalizeCategory } from "../../domain/categories/categories.ts";
import { listObservations } from "../../queries/edge/edge-entries.ts";
import { CATEGORY_FILTER } from "../shared-params.ts";
import { EDGE_CURSOR } from "./edge-cursor.ts";
import { presentObservationPage } from "./observation-page.ts";
import { COHORTS, OBSERVATION_TOP_LEVEL, PreGameSideObservation } from "./schemas/observation-schemas.ts";
import { EDGE_CACHE_SECONDS, requireUsable } from "./snapshot-age.ts";

export const COHORT_DESCRIPTION =
  "wider_holder: before kickoff, one side has 60 % or more, and the market is not a signal. emerging_pile: those with " +
  "75 % to below 85 %, a complete holder scan, and a kickoff an hour or more after the snapshot. in_play: live games " +
  "whose score frame was at most 30 seconds old.";

/** The same list under two paths, neither of them deprecated. */
function defineObservations(spelling: Pick<Operation, "id" | "path" | "mcpTool">): Operation {
  return defineOperation({
    ...spelling,
    kind: "list",
    method: "get",
    tag: "Edge",
    summary: "List sports markets in which graded traders hold one side, outside the signals.",
    description:
      "Observations of one cohort in the order of signals, with where every market of the board ended. A snapshot " +
      "before kickoff is built every three minutes, one of live games every 15 seconds. When the newest snapshot of " +
      "live games is older than 30 seconds, the list is empty and degraded.",
    access: "key",
    scope: "read",
    plan: "pro",
    cost: 1,
    params: {},
    query: {
      cohort: requiredEnumParam(COHORTS).meta({ description: COHORT_DESCRIPTION, example: "wider_holder" }),
      category: textParam().meta({ ...CATEGORY_FILTER, example: "Soccer" }),
      limit: limitParam({ max: 100, default: 20 }),
    },
    reasons: ["cursor_expired", "read_model_warming"],
    conditional: true,
    cacheSeconds: EDGE_CACHE_SECONDS,
    item: PreGameSideObservation,
    cursor: { ...EDGE_CURSOR, sendsNull: true },
    topLevel: OBSERVATION_TOP_LEVEL,
    async handle({ query, cursor }, { db, now }) {
      const { cohort, limit } = query;
      const category = query.category === null ? null : normalizeCategory(query.category);
      const found = await listObservations(db, { cohort, category }, { cursor, limit }, now);
      const isFirstPage = cursor === null;
      return presentObservationPage(requireUsable(found, isFirstPage, now), { cohort, limit, isFirstPage }, now);
    },
  });
}

export const listPreGameSideObservations = defineObservations({
  id: "listPreGameSideObservations",
  path: "/api/v1/sports/pre-game-side-observations",
  mcpTool: "get_pre_game_side_observations",
});

export const listSportsEdgeObservations = defineObservations({
  id: "listSportsEdgeObservations",
  path: "/api/v1/sports-edge-observations",
  mcpTool: "get_sports_edge_observations",
});
