import type { ContentItem } from "../content-item.ts";

export const STRATEGY: readonly ContentItem[] = [
  {
    kind: "strategy",
    slug: "two-sided",
    title: "Two-sided traders",
    summary: "A trader is two_sided after acquiring both outcomes in at least 30 % of the markets traded.",
    body: [
      "It describes the trading style, not the skill.",
      "Hedging, market making and a change of mind all look like this.",
    ],
  },
  {
    kind: "strategy",
    slug: "category-focused",
    title: "Category-focused traders",
    summary: "A trader is category_focused when at least 70 % of the money paid went into one category.",
    body: ["Category records show the results there: wins, decided markets and, with enough markets, the win rate."],
  },
  {
    kind: "strategy",
    slug: "high-activity",
    title: "High-activity traders",
    summary: "A trader is high_activity with fifty fills or more on an average active day.",
    body: ["Bots look like this, and so do market makers."],
  },
  {
    kind: "strategy",
    slug: "diversified",
    title: "Diversified traders",
    summary:
      "A trader is diversified when the money is spread over categories at least as widely as " +
      "an even split over three.",
    body: [
      "A trader with several of these traits is mixed; a trader with none of them is unclassified.",
      "Below 20 fills the strategy is unknown.",
    ],
  },
];
