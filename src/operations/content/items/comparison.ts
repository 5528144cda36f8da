import type { ContentItem } from "../content-item.ts";

export const COMPARISON: readonly ContentItem[] = [
  {
    kind: "comparison",
    slug: "grade-or-profit",
    title: "Grade or profit: two different rankings",
    summary:
      "Profit ranks traders by the size of their bets as well as by their choices. A grade ignores size and " +
      "compares results with the prices paid.",
    body: [
      "A trader with large bets can be far ahead because of one lucky market.",
      "The trending list follows the provider's profit leaderboard; our leaderboard follows our score.",
    ],
  },
  {
    kind: "comparison",
    slug: "edge-or-win-rate",
    title: "Edge or win rate",
    summary:
      "A trader who always buys at 0.95 wins nineteen times in twenty without any skill. Win rate rewards that; " +
      "price-relative edge does not.",
    body: ["Win rates come with the number of decided markets, and are null below a minimum number."],
  },
  {
    kind: "comparison",
    slug: "large-trade-or-provider-volume",
    title: "Large-trade volume or provider volume",
    summary:
      "Large-trade volume adds up the detected taker trades above the capture floor. The provider's " +
      "volume counts every trade.",
    body: [
      "Reports state in reconciliation which one they use.",
      "Market volume and liquidity are the provider's own figures.",
    ],
  },
];
