import { booleanParam, enumParam, limitParam, numberParam, textParam } from "../../api/params.ts";
import { foldCategory } from "../../domain/categories.ts";
import { gradesFrom, GRADES, type Grade } from "../../domain/grades.ts";
import type { LargeTradeFilters } from "../../queries/large-trades.ts";
import { CATEGORY_FILTER, MIN_GRADE_FILTER } from "../param-words.ts";

/** The query that the list and the history share. */
export const SHARED_QUERY = {
  limit: limitParam({ max: 100, default: 20 }),
  min_size: numberParam({ default: 5000 }).meta({
    description: "Least size in dollars, without fees; half a cent and more counts as a cent. Below 0 counts as 0.",
    example: 25_000,
  }),
  category: textParam().meta(CATEGORY_FILTER),
  min_grade: enumParam(GRADES).meta(MIN_GRADE_FILTER),
  suspicious_only: booleanParam(false).meta({
    description: "Whether to list only trades with a suspicion_score of 60 or more.",
    example: true,
  }),
  min_market_volume_share: numberParam({ min: 0, max: 1 }).meta({
    description: "Least market_volume_share, a fraction. Trades whose share is not known pass 0 alone. All when left out.",
    example: 0.05,
  }),
  sort: enumParam(["recent", "market_volume_share"], "recent").meta({
    description:
      "recent: newest first. market_volume_share: largest share first, unknown ones last, over the last 30 days, or since `from` where that is given.",
    example: "market_volume_share",
  }),
};

export function toFilters(query: {
  min_size: number;
  category: string | null;
  min_grade: Grade | null;
  suspicious_only: boolean;
  min_market_volume_share: number | null;
}): LargeTradeFilters {
  return {
    minSizeUsd: Math.max(0, query.min_size),
    category: query.category === null ? null : foldCategory(query.category),
    grades: query.min_grade === null ? null : gradesFrom(query.min_grade),
    suspiciousOnly: query.suspicious_only,
    minMarketVolumeShare: query.min_market_volume_share,
  };
}
