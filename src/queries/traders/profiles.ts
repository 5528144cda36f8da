import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { z } from "zod";
import { tp } from "../../db/aliases.ts";
import { isHistoryKnown } from "../../db/fragments/completeness.ts";
import { traderSyncs } from "../../db/schema.ts";
import { alias, timestamp } from "../../db/sql.ts";
import { PROFILE_MAX_AGE_SECONDS, StoredMetrics, StoredStrengths } from "../../domain/traders/stored-profile.ts";
import { STRATEGIES } from "../../domain/traders/strategies.ts";

/**
 * The profile fields that lists show; null without a profile that may be served, or with too little history.
 */
export const LISTED_PROFILE = {
  strategy: z.enum(STRATEGIES).nullable(),
  streak_tier: z.enum(["hot", "rising", "neutral", "cooling", "cold"]).nullable(),
};

export const listedProfile: SQL = sql`${tp.strategy}, ${tp.streakTier}`;

export const WHOLE_PROFILE = {
  ...LISTED_PROFILE,
  quant_metrics: StoredMetrics.nullable(),
  category_strengths: StoredStrengths.nullable(),
};

export const wholeProfile: SQL = sql`${listedProfile}, ${tp.profile} -> 'metrics' as quant_metrics,
  ${tp.profile} -> 'category_strengths' as category_strengths`;

const ps = alias(traderSyncs, "ps");

/**
 * Left-joins a trader's profile as `tp`, if its history in ordinary markets is known and the profile is
 * recent enough.
 */
export const joinProfile = (traderId: SQL | AnyColumn, now: Date): SQL => sql`
  left join ${tp} on ${tp.traderId} = ${traderId}
    and ${tp.computedAt} > ${timestamp(now)} - make_interval(secs => ${PROFILE_MAX_AGE_SECONDS})
    and exists (select from ${ps} where ${ps.traderId} = ${tp.traderId} and ${isHistoryKnown(ps)})`;
