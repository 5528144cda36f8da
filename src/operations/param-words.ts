/*
 * Words for parameters that many operations take. Bounds, defaults and what becomes of a bad value are told by the parameter itself.
 */

export const CATEGORY_FILTER = {
  description:
    "Only markets of this category. Upper and lower case are the same; other names of a category, such as a league's, are taken as it. A name we do not know lists nothing. All when left out.",
  example: "Politics",
};

export const EXACT_CATEGORY_FILTER = {
  description: "Only markets of this category, spelt exactly as in answers; another spelling lists nothing. All when left out.",
  example: "Politics",
};

export const MIN_GRADE_FILTER = {
  description:
    "Only wallets of this grade or a better one, today's; S is the best, F the worst, and ungraded wallets never pass. All, graded or not, when left out.",
  example: "B",
};

export const MARKET_FILTER = {
  description: "Only this market: its condition id or its mkt_ id. One that is not known lists nothing. All when left out.",
  example: `0x${"7".repeat(64)}`,
};

export const PLATFORM_FILTER = {
  description: "Only this provider. One is read, so `all` and `polymarket` list the same.",
  example: "polymarket",
};

export const TIMEFRAME = {
  description: "The window: the last hour, 4 hours, 24 hours or 7 days.",
  example: "7d",
};

export const MARKET_STATUS_FILTER = {
  description:
    "active: only markets that are traded. closed: only those whose trading has closed, that have resolved, or whose end has come with no quotes from after it. all: both.",
  example: "active",
};
