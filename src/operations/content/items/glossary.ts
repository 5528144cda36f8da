import type { ContentItem } from "../content-item.ts";

export const GLOSSARY: readonly ContentItem[] = [
  {
    kind: "glossary",
    slug: "price-relative-edge",
    title: "Price-relative edge",
    summary:
      "Payout minus price paid, in points: hundredths of a dollar per share. A trader who pays 0.60 and wins 65 % " +
      "of the time has an edge of 5 points.",
    body: ["Grades are based on it, because the price already contains how likely the market considers the outcome."],
  },
  {
    kind: "glossary",
    slug: "forecast-evidence",
    title: "Forecast evidence",
    summary:
      "How much of a trader's forecast is based on the trader's own record, from 0 to 1; the rest is " +
      "the average of all traders.",
    body: ["A long record at even odds is more evidence than a short record, or a record of near certainties."],
  },
  {
    kind: "glossary",
    slug: "condition-id",
    title: "Condition id and token id",
    summary: "A condition id identifies a market; a token id, a long decimal number, identifies one of its outcomes.",
    body: [
      "A token id is null until the market has been read from the provider.",
      "An mkt_ id is the short id of a market in this API.",
    ],
  },
  {
    kind: "glossary",
    slug: "average-cost",
    title: "Average cost",
    summary: "The average cost of the open shares of an outcome, without fees. A sale removes shares at this cost.",
    body: [
      "We keep the total cost, not a rounded average, so small differences from the provider's figures come " +
        "from the provider's rounding.",
    ],
  },
  {
    kind: "glossary",
    slug: "review-score",
    title: "Review score",
    summary:
      "How much a large trade deserves a review, from 0 to 1. It combines the size on a logarithmic scale with " +
      "how long the odds were. It is not a probability.",
    body: [
      "signal_score is the older name. The recorded score is written when the trade is captured and never changes.",
    ],
  },
  {
    kind: "glossary",
    slug: "streak-tier",
    title: "Streak tier",
    summary:
      "A trader's form over the last seven days compared with all active traders: hot, rising, neutral, cooling " +
      "or cold. It is independent of the grade.",
    body: [
      "Form is realized profit divided by the highest capital at work on any of these days.",
      "A trader without a gain is never hot, and a trader without a loss is never cold.",
    ],
  },
  {
    kind: "glossary",
    slug: "sharpe-ratio",
    title: "Sharpe ratio",
    summary:
      "Mean daily return divided by its standard deviation, annualised with 365 days, over trailing " +
      "windows of 30 and 7 days.",
    body: ["It is null when too few days have realized profit or loss, and when the returns never vary."],
  },
  {
    kind: "glossary",
    slug: "discover-score",
    title: "Discover score",
    summary:
      "The order of the hot sort in market exploration: volume, large trades, liquidity, recency and sharp money, " +
      "each from 0 to 1, minus a penalty for a missing price.",
    body: ["score_components shows the parts. It also shows the price move, which is not part of the score."],
  },
];
