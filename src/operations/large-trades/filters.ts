import { booleanParam, enumParam, limitParam, numberParam, textParam } from "../../api/params.ts";
import { foldCategory } from "../../domain/categories.ts";
import { gradesFrom, GRADES, type Grade } from "../../domain/grades.ts";
import type { LargeTradeFilters } from "../../queries/large-trades.ts";

/** The query that the list and the history share. */
export const SHARED_QUERY = {
  limit: limitParam({ max: 100, default: 20 }),
  min_size: numberParam({ default: 5000 }),
  category: textParam(),
  min_grade: enumParam(GRADES),
  suspicious_only: booleanParam(false),
  min_market_volume_share: numberParam({ min: 0, max: 1 }),
  sort: enumParam(["recent", "market_volume_share"], "recent"),
};

/** Nothing is worth more; a larger bound means the same and would not fit the database's integers. */
const MOST_USD = 1e9;

export function toFilters(query: {
  min_size: number;
  category: string | null;
  min_grade: Grade | null;
  suspicious_only: boolean;
  min_market_volume_share: number | null;
}): LargeTradeFilters {
  return {
    minSizeUsd: Math.min(MOST_USD, Math.max(0, query.min_size)),
    category: query.category === null ? null : foldCategory(query.category),
    grades: query.min_grade === null ? null : gradesFrom(query.min_grade),
    suspiciousOnly: query.suspicious_only,
    minMarketVolumeShare: query.min_market_volume_share,
  };
}
