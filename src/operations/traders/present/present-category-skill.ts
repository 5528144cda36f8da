import type { z } from "zod";
import { TAXONOMY_VERSION } from "../../../domain/categories/categories.ts";
import { presentFloat } from "../../../domain/present-float.ts";
import { PROFILE_MAX_AGE_SECONDS } from "../../../domain/traders/stored-profile.ts";
import type { CategorySkillRow } from "../../../queries/traders/select-category-skill.ts";
import { CATEGORY_SKILL_VERSION } from "../../../scoring/skill/category-skill.ts";
import type { CategorySkillModelReadiness, CategorySkillV2 } from "../schemas/category-skill-schemas.ts";

type Records = readonly z.input<typeof CategorySkillV2>[];
type Readiness = z.input<typeof CategorySkillModelReadiness>;

/** Rates have four decimals. */
const DECIMALS = 4;

/**
 * A trader's skill by category, and the readiness of these figures.
 *
 * @returns no fields when the trader's history is incomplete, or when no purchase was in a market with a
 * category
 */
export function presentCategorySkill(
  skill: CategorySkillRow | null,
  now: Date,
): { category_records: z.input<typeof CategorySkillV2>[]; category_skill_model: Readiness } | Record<never, never> {
  if (skill === null || skill.categories.length === 0) return {};
  const isStale = now.getTime() - Date.parse(skill.computed_at) >= PROFILE_MAX_AGE_SECONDS * 1000;
  const records = skill.categories.map((stored) => presentRecord(skill, stored, isStale));
  return { category_records: records, category_skill_model: presentReadiness(skill, records) };
}

function presentRecord(
  skill: CategorySkillRow,
  stored: CategorySkillRow["categories"][number],
  isStale: boolean,
): z.input<typeof CategorySkillV2> {
  return {
    status: stored.status === "live" && isStale ? "stale" : stored.status,
    model_version: CATEGORY_SKILL_VERSION,
    taxonomy_version: TAXONOMY_VERSION,
    platform: "polymarket",
    scope: "observed_goldsky_primary_taker_fill",
    source_coverage: "graded_wallet_fills",
    canonical_category: stored.category,
    as_of: skill.computed_at,
    source_last_success_at: skill.synced_at,
    observation_started_at: stored.started_at,
    latest_observation_at: stored.latest_at,
    independent_event_count: stored.events,
    resolved_condition_count: stored.resolved_markets,
    unresolved_observation_count: stored.unresolved_outcomes,
    edge_mean: presentFloat(stored.edge_mean, DECIMALS),
    edge_sd: presentFloat(stored.edge_sd, DECIMALS),
    edge_se: presentFloat(stored.edge_se, DECIMALS),
    edge_lower_95: presentFloat(stored.edge_lower_95, DECIMALS),
    brier_event_avg: presentFloat(stored.brier, DECIMALS),
  };
}

/** Most useful status first. */
const BEST_FIRST = ["live", "stale", "degraded", "insufficient"] as const;

const presentReadiness = (skill: CategorySkillRow, records: Records): Readiness => ({
  status: BEST_FIRST.find((status) => records.some((record) => record.status === status)) ?? "unknown",
  model_version: CATEGORY_SKILL_VERSION,
  taxonomy_version: TAXONOMY_VERSION,
  observation_started_at: skill.categories.map((stored) => stored.started_at).reduce((a, b) => (a < b ? a : b)),
  as_of: skill.computed_at,
  source_last_success_at: skill.synced_at,
});
