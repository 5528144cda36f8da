import type { ContentItem } from "../content-item.ts";

export const GLOSSARY: readonly ContentItem[] = [
  {
    kind: "glossary",
    slug: "price-relative-edge",
    title: "Price-relative edge",
    summary:
      "Payout less price paid, in points: hundredths of a dollar a share. A wallet that pays 0.60 and wins 65 % of the time has an edge of 5 points.",
    body: ["It is what a grade is made of, because a price already says how likely the outcome is thought to be."],
  },
  {
    kind: "glossary",
    slug: "forecast-evidence",
    title: "Forecast evidence",
    summary: "How much of a wallet's forecast rests on its own record, from 0 to 1; the rest is what wallets in general do.",
    body: ["A long record of even odds says more than a short one, or one of near certainties."],
  },
  {
    kind: "glossary",
    slug: "condition-id",
    title: "Condition id and token id",
    summary: "A condition id names a market; a token id, a long decimal number, names one of its outcomes.",
    body: ["A token id is null while the market has not been read from the provider.", "An mkt_ id is our own short name of a market."],
  },
  {
    kind: "glossary",
    slug: "average-cost",
    title: "Average cost",
    summary: "What the held shares of an outcome cost on average, fees excluded. A sale takes out shares at this cost.",
    body: ["The cost itself is kept, not a rounded average, so small differences to the provider's figures come from its rounding."],
  },
  {
    kind: "glossary",
    slug: "review-score",
    title: "Review score",
    summary:
      "How much a large trade deserves a look, from 0 to 1: its size on a logarithmic scale and how long the odds were. Not a probability.",
    body: ["signal_score is the older name. The recorded one is written when the trade is captured and does not change."],
  },
  {
    kind: "glossary",
    slug: "streak-tier",
    title: "Streak tier",
    summary:
      "A wallet's form of the last seven days among all active wallets: hot, rising, neutral, cooling or cold. It says nothing about its grade.",
    body: [
      "Form is realized profit over the most capital at work on one of these days.",
      "Nobody is hot without a gain or cold without a loss.",
    ],
  },
  {
    kind: "glossary",
    slug: "sharpe-ratio",
    title: "Sharpe ratio",
    summary: "Mean daily return over its deviation, annualised with 365 days, over trailing windows of 30 and 7 days.",
    body: ["It is null with too few days on which something was realized, and for returns that never vary."],
  },
  {
    kind: "glossary",
    slug: "discover-score",
    title: "Discover score",
    summary:
      "The hot sort of market exploration: volume, large trades, liquidity, recency and sharp money, each from 0 to 1, less a penalty without a price.",
    body: ["score_components shows the parts. The price's move is shown beside them and is no part of the score."],
  },
];
