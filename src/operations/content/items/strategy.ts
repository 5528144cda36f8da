import type { ContentItem } from "../content-item.ts";

export const STRATEGY: readonly ContentItem[] = [
  {
    kind: "strategy",
    slug: "two-sided",
    title: "Two-sided wallets",
    summary: "A wallet is two_sided when it acquired both outcomes in at least 30 % of its markets.",
    body: ["It says how the wallet trades, not how well.", "Hedging, quoting and changing one's mind all look like this."],
  },
  {
    kind: "strategy",
    slug: "category-focused",
    title: "Category-focused wallets",
    summary: "A wallet is category_focused when at least 70 % of what it paid went into one category.",
    body: ["Category records show how it did there: wins, decided markets and the rate, once there are enough."],
  },
  {
    kind: "strategy",
    slug: "high-activity",
    title: "High-activity wallets",
    summary: "A wallet is high_activity when it makes fifty fills or more on an average active day.",
    body: ["Machines look like this, and so do market makers."],
  },
  {
    kind: "strategy",
    slug: "diversified",
    title: "Diversified wallets",
    summary: "A wallet is diversified when its money is spread over categories as if evenly over three or more.",
    body: ["A wallet with several traits at once is mixed; one with none of them is unclassified.", "Nothing is said below 20 fills."],
  },
];
