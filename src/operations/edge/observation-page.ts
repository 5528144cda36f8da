import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import type { PageResult } from "../../api/operation.ts";
import type { EdgePage, ObservationCohort } from "../../queries/edge/edge-entries.ts";
import { sliceEdgePage, type EdgeCursorPosition } from "./edge-cursor.ts";
import { presentFunnel } from "./present/present-funnel.ts";
import { presentObservation } from "./present/present-observation.ts";
import type { PreGameSideObservation } from "./schemas/observation-schemas.ts";
import { isLate } from "./snapshot-age.ts";

/**
 * A page of observations, with the fields of `OBSERVATION_TOP_LEVEL`. A snapshot of live games that is too old shows no
 * rows: their state is unknown.
 *
 * @throws ApiError cursor_expired when the cursor's snapshot of live games is too old
 */
export function presentObservationPage(
  page: EdgePage,
  { cohort, limit, isFirstPage }: { cohort: ObservationCohort; limit: number; isFirstPage: boolean },
  now: Date,
): PageResult<z.input<typeof PreGameSideObservation>, z.input<typeof EdgeCursorPosition>> {
  const { snapshot } = page;
  const isRebuildLate = isLate(snapshot, cohort === "in_play" ? "in_play" : "pre_game", now);
  const isWithheld = cohort === "in_play" && isRebuildLate;
  if (isWithheld && !isFirstPage) throw new ApiError("cursor_expired", { param: "cursor" });
  const { rows, next } = isWithheld ? { rows: [], next: null } : sliceEdgePage(page, limit);
  return {
    data: rows.map((row) => presentObservation(row, cohort, snapshot)),
    next,
    topLevel: {
      snapshot_as_of: snapshot.builtAt,
      // Later pages of a walk repeat the verdict of its snapshot, which a newer one may have replaced.
      degraded: snapshot.is_degraded || (isFirstPage && isRebuildLate),
      funnel: presentFunnel(snapshot.funnel),
    },
  };
}
