import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { z } from "zod";
import { isHistoryKnown } from "../../db/fragments/completeness.ts";
import { traderProfiles, traderSyncs } from "../../db/schema.ts";
import { StoredCategorySkill } from "../../domain/traders/stored-profile.ts";
import { alias, isoText } from "../../db/sql.ts";

const CategorySkillRow = z.object({
  computed_at: z.string(),
  /** When the trader's activity was last read to its end. */
  synced_at: z.string(),
  categories: StoredCategorySkill,
});

export type CategorySkillRow = z.output<typeof CategorySkillRow>;

/**
 * Null when the trader's history in ordinary markets is unknown, or when its profile has no such figures yet.
 */
export const CATEGORY_SKILL = { category_skill: CategorySkillRow.nullable() };

const cp = alias(traderProfiles, "cp");
const cs = alias(traderSyncs, "cs");

/** A trader's category skill from its latest profile, however old; the response marks stale figures. */
export const selectCategorySkill = (
  traderId: SQL | AnyColumn,
): SQL => sql`(select jsonb_build_object('computed_at', ${isoText(cp.computedAt)},
    'synced_at', ${isoText(cs.completeAt)}, 'categories', ${cp.profile} -> 'category_skill')
  from ${cp} join ${cs} on ${cs.traderId} = ${cp.traderId} and ${isHistoryKnown(cs)}
  where ${cp.traderId} = ${traderId} and ${cp.profile} -> 'category_skill' is not null) as category_skill`;
