import type { StoredProfile } from "../../domain/traders/stored-profile.ts";
import { categorySkill } from "../../scoring/skill/category-skill.ts";
import type { BoughtByCategory } from "./bought-outcomes.ts";

/** Converts the category skill of a trader to its stored form, one record per category. */
export function storeCategorySkill(bought: BoughtByCategory): StoredProfile["category_skill"] {
  return [...bought].map(([category, outcomes]) => {
    const { status, events, resolvedMarkets, unresolvedOutcomes, estimate, firstAtMs, lastAtMs } =
      categorySkill(outcomes);
    return {
      category,
      status,
      events,
      resolved_markets: resolvedMarkets,
      unresolved_outcomes: unresolvedOutcomes,
      edge_mean: estimate?.mean ?? null,
      edge_sd: estimate?.deviation ?? null,
      edge_se: estimate?.error ?? null,
      edge_lower_95: estimate?.lower95 ?? null,
      brier: estimate?.brier ?? null,
      started_at: new Date(firstAtMs).toISOString(),
      latest_at: new Date(lastAtMs).toISOString(),
    };
  });
}
