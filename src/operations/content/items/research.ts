import type { ContentItem } from "../content-item.ts";

export const RESEARCH: readonly ContentItem[] = [
  {
    kind: "research",
    slug: "do-grades-predict",
    title: "Do letter grades predict later trades?",
    summary:
      "In simulated years of trading, traders were graded only from bets that had already settled. Their later " +
      "win rates followed the order of the grades, S first and F last.",
    body: [
      "The data of that study is simulated and marked as simulated, because the recorded data is " +
        "too small to prove it alone.",
      "Other estimators were compared on the same trades: raw edge and win rate did not predict " +
        "the order of later results.",
      "For purchases of at least $10,000 alone, the grades are not in order in every year: S is clearly better, C " +
        "and D are not distinguishable.",
    ],
  },
  {
    kind: "research",
    slug: "reconciliation",
    title: "How our profit figures compare with the provider's",
    summary:
      "Recorded positions with complete history are compared with the provider's own figures. Each difference is " +
      "explained, position by position.",
    body: [
      "The provider truncates its average price at every step; we keep the exact cost.",
      "Totals without fills are reported as not comparable, never as equal.",
    ],
  },
];
