import type { ContentItem } from "../content-item.ts";

export const RESEARCH: readonly ContentItem[] = [
  {
    kind: "research",
    slug: "do-grades-predict",
    title: "Do letter grades predict later trades?",
    summary:
      "In generated years of trading, wallets graded only from what had settled before went on to win in the order of their letters, S first and F last.",
    body: [
      "The data of that study is simulated and marked so: recorded data is too small to prove it alone.",
      "Other estimators were compared on the same trades: raw edge and win rate did not put later results in order.",
      "For purchases of at least $10,000 alone the letters are not in order in every year: S stands out, C and D cannot be told apart.",
    ],
  },
  {
    kind: "research",
    slug: "reconciliation",
    title: "How our profit figures compare with the provider's",
    summary:
      "Recorded positions with complete history are set beside the provider's own figures; where they differ the reason is named, position by position.",
    body: [
      "The provider cuts its average price at every step; we keep the cost itself.",
      "Totals without fills are reported as not comparable, never as agreement.",
    ],
  },
];
