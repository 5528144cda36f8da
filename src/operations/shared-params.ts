/*
 * Descriptions of query parameters that many operations share. The parameter type adds the bounds, the
 * default and how an invalid value is handled.
 */

export const CATEGORY_FILTER = {
  description:
    "Only markets of this category. Case is ignored, and other names of a category, such as a league name, are " +
    "accepted. An unknown name returns an empty list. All categories when left out.",
  example: "Politics",
};

export const EXACT_CATEGORY_FILTER = {
  description:
    "Only markets of this category, spelled exactly as in responses; any other spelling returns an empty list. " +
    "All categories when left out.",
  example: "Politics",
};

export const MIN_GRADE_FILTER = {
  description:
    "Only traders whose current grade is this one or better. S is the best, F the worst; ungraded traders never " +
    "match. All traders, graded or not, when left out.",
  example: "B",
};

export const MARKET_FILTER = {
  description:
    "Only this market, by condition id or mkt_ id. An unknown market returns an empty list. All markets when left out.",
  example: `0x${"7".repeat(64)}`,
};

export const PLATFORM_FILTER = {
  description: "Only this provider. There is one provider, so `all` and `polymarket` return the same list.",
  example: "polymarket",
};

export const TIMEFRAME_PARAM = {
  description: "Time window: the last hour, 4 hours, 24 hours or 7 days.",
  example: "7d",
};

export const MARKET_STATUS_FILTER = {
  description:
    "active: only markets that are trading. closed: only markets whose trading has closed, that have resolved, or " +
    "whose end time has passed without later quotes. all: both.",
  example: "active",
};
