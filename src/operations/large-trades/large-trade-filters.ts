import { booleanParam, enumParam, limitParam, numberParam, textParam } from "../../api/request/query-params.ts";
import { normalizeCategory } from "../../domain/categories/categories.ts";
import { gradesFrom, GRADES, type Grade } from "../../domain/traders/grades.ts";
import type { LargeTradeFilters } from "../../queries/trades/large-trades.ts";
import { CATEGORY_FILTER, MIN_GRADE_FILTER } from "../shared-params.ts";

/** Query parameters shared by the list and the history. */
export const LARGE_TRADE_QUERY = {
  limit: limitParam({ max: 100, default: 20 }),
  min_size: numberParam({ default: 5000 }).meta({
    description:
      "Minimum size in dollars, without fees. Sizes are compared in cents, rounded half up. A " +
      "value below 0 counts as 0.",
    example: 25_000,
  }),
  category: textParam().meta(CATEGORY_FILTER),
  min_grade: enumParam(GRADES).meta(MIN_GRADE_FILTER),
  suspicious_only: booleanParam(false).meta({
    description: "true: only trades with a suspicion_score of 60 or more.",
    example: true,
  }),
  min_market_volume_share: numberParam({ min: 0, max: 1 }).meta({
    description:
      "Minimum market_volume_share, a fraction. Trades with an unknown share match only a " +
      "minimum of 0. All when left out.",
    example: 0.05,
  }),
  sort: enumParam(["recent", "market_volume_share"], "recent").meta({
    description:
      "recent: newest first. market_volume_share: largest share first and unknown shares last, over the last 30 " +
      "days or, when `from` is sent, since `from`.",
    example: "market_volume_share",
  }),
};

export function toLargeTradeFilters(query: {
  min_size: number;
  category: string | null;
  min_grade: Grade | null;
  suspicious_only: boolean;
  min_market_volume_share: number | null;
}): LargeTradeFilters {
  return {
    minSizeUsd: Math.max(0, query.min_size),
    category: query.category === null ? null : normalizeCategory(query.category),
    grades: query.min_grade === null ? null : gradesFrom(query.min_grade),
    suspiciousOnly: query.suspicious_only,
    minMarketVolumeShare: query.min_market_volume_share,
  };
}
