import type { z } from "zod";
import type { PageResult } from "../../api/operation.ts";
import { clampedIntegerParam, enumParam } from "../../api/request/query-params.ts";
import { TAXONOMY_VERSION } from "../../domain/categories/categories.ts";
import { PROFILE_MAX_AGE_SECONDS } from "../../domain/traders/stored-profile.ts";
import type { EdgePage, EdgeSnapshot } from "../../queries/edge/edge-entries.ts";
import { HORIZON_HOURS } from "../../scoring/edge/parameters.ts";
import { CATEGORY_SKILL_VERSION } from "../../scoring/skill/category-skill.ts";
import { sliceEdgePage, type EdgeCursorPosition } from "./edge-cursor.ts";
import { presentSignals } from "./present/present-signal.ts";
import { SKILL_STATUSES, type PreGameSide } from "./schemas/signal-schemas.ts";
import { isLate } from "./snapshot-age.ts";

export const SIGNAL_FILTERS = {
  horizon_hours: clampedIntegerParam({ max: HORIZON_HOURS, default: 12 }).meta({
    description: "Only signals of games whose kickoff is at most this many hours after the snapshot.",
    example: 24,
  }),
  min_grade: enumParam(["S", "A", "B"], "B").meta({
    description: "Only signals with a holder of this grade or a better one; S is the best.",
    example: "A",
  }),
};

/** A page of signals, with the fields of `SIGNAL_META`. */
export async function presentSignalPage(
  page: EdgePage,
  limit: number,
  now: Date,
): Promise<PageResult<z.input<typeof PreGameSide>, z.input<typeof EdgeCursorPosition>>> {
  const { rows, next } = sliceEdgePage(page, limit);
  const { data, baseHash, enrichedBaseHash } = await presentSignals(rows, page.snapshot);
  const isRebuildLate = isLate(page.snapshot, "pre_game", now);
  return {
    data,
    next,
    meta: {
      directional_source: page.snapshot.is_degraded || isRebuildLate ? "degraded" : "live",
      ranking_source: isRebuildLate ? "db_only" : "live",
      ...describeSkill(page),
      category_skill_base_payload_hash: baseHash,
      category_skill_enriched_base_payload_hash: enrichedBaseHash,
    },
  };
}

function describeSkill({ skillStatuses, total, snapshot }: EdgePage) {
  const isModelDegraded = isSkillOutdated(snapshot);
  const live = skillStatuses["live"] ?? 0;
  return {
    category_skill_source: isModelDegraded
      ? "degraded"
      : live === 0
        ? "unavailable"
        : live === total
          ? "live"
          : "partial",
    category_skill_model_version: CATEGORY_SKILL_VERSION,
    category_skill_taxonomy_version: TAXONOMY_VERSION,
    category_skill_platform: "polymarket",
    category_skill_scope: "observed_goldsky_primary_taker_fill",
    category_skill_source_coverage: "graded_wallet_fills",
    category_skill_model_operationally_degraded: isModelDegraded,
    category_skill_status_counts: Object.fromEntries(
      SKILL_STATUSES.map((status) => [status, skillStatuses[status] ?? 0]),
    ),
  };
}

/** Whether no profile was computed in the hours before the snapshot in which a profile is current. */
const isSkillOutdated = ({ skill_as_of: newest, builtAt }: EdgeSnapshot): boolean =>
  newest === null || Date.parse(builtAt) - Date.parse(newest) > PROFILE_MAX_AGE_SECONDS * 1000;
