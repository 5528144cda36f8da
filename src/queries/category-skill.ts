import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { isHistoryKnown } from "../db/completeness.ts";
import { StoredCategorySkill } from "../domain/stored-profile.ts";
import { iso } from "./rows.ts";

const CategorySkill = z.object({
  computed_at: z.string(),
  /** When the wallet's activity was last read to its end. */
  synced_at: z.string(),
  categories: StoredCategorySkill,
});

export type CategorySkill = z.output<typeof CategorySkill>;

/** Null for a wallet whose history in ordinary markets is not known, or whose profile knows no such figures yet. */
export const CATEGORY_SKILL = { category_skill: CategorySkill.nullable() };

/** A wallet's category skill as its last profile has it, however old that is: what is stale is said to be. */
export const categorySkill = (traderId: SQL): SQL => sql`(select jsonb_build_object('computed_at', ${iso(sql`cp.computed_at`)},
    'synced_at', ${iso(sql`cs.complete_at`)}, 'categories', cp.profile -> 'category_skill')
  from trader_profiles cp join wallet_syncs cs on cs.trader_id = cp.trader_id and ${sql.raw(isHistoryKnown("cs"))}
  where cp.trader_id = ${traderId} and cp.profile -> 'category_skill' is not null) as category_skill`;
