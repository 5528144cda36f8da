import type { ContentItem } from "../content-item.ts";

export const COMPARISON: readonly ContentItem[] = [
  {
    kind: "comparison",
    slug: "grade-or-profit",
    title: "Grade or profit: two different rankings",
    summary:
      "Profit ranks wallets by how much they staked as well as by how well they chose. A grade leaves size out and asks about price.",
    body: [
      "A large wallet can be far ahead on one lucky market.",
      "Trending wallets follow the provider's profit board; the leaderboard follows our score.",
    ],
  },
  {
    kind: "comparison",
    slug: "edge-or-win-rate",
    title: "Edge or win rate",
    summary:
      "Whoever buys at 0.95 wins nineteen times in twenty without knowing anything. Win rate rewards that; price-relative edge does not.",
    body: ["Win rates are served with the number of decided markets, and are null below a minimum."],
  },
  {
    kind: "comparison",
    slug: "large-trade-or-provider-volume",
    title: "Large-trade volume or provider volume",
    summary: "Large-trade volume adds up the takers' trades we detected above the capture floor. The provider's volume counts every trade.",
    body: ["Reports say which one they use in reconciliation.", "Market volume and liquidity are the provider's own figures."],
  },
];
