import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { isHistoryKnown } from "../db/completeness.ts";
import { PROFILE_MAX_AGE_SECONDS, StoredMetrics, StoredStrengths } from "../domain/stored-profile.ts";
import { STRATEGIES } from "../domain/strategies.ts";

/** What lists show of a wallet's profile; null without one that may be served, or where its history was too little. */
export const LISTED_PROFILE = {
  strategy: z.enum(STRATEGIES).nullable(),
  streak_tier: z.enum(["hot", "rising", "neutral", "cooling", "cold"]).nullable(),
};

export const listedProfile: SQL = sql`tp.strategy, tp.streak_tier`;

export const WHOLE_PROFILE = {
  ...LISTED_PROFILE,
  quant_metrics: StoredMetrics.nullable(),
  category_strengths: StoredStrengths.nullable(),
};

export const wholeProfile: SQL = sql`${listedProfile}, tp.profile -> 'metrics' as quant_metrics,
  tp.profile -> 'category_strengths' as category_strengths`;

/** Joins a wallet's profile as `tp`: of a wallet whose history in ordinary markets is known, and young enough. A wallet that has none keeps its row. */
export const joinProfile = (traderId: SQL, now: Date): SQL => sql`
  left join trader_profiles tp on tp.trader_id = ${traderId}
    and tp.computed_at > ${now.toISOString()}::timestamptz - make_interval(secs => ${PROFILE_MAX_AGE_SECONDS})
    and exists (select from wallet_syncs ps where ps.trader_id = tp.trader_id and ${sql.raw(isHistoryKnown("ps"))})`;
