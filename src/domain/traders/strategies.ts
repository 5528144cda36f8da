/** Trading styles: the six in use, and ten older names that filters still accept. */
export const STRATEGIES = [
  "accumulator",
  "algo_trader",
  "arbitrageur",
  "category_focused",
  "directional",
  "diversified",
  "event_driven",
  "high_activity",
  "market_maker",
  "mixed",
  "momentum",
  "scalper",
  "speculator",
  "swing_trader",
  "two_sided",
  "unclassified",
] as const;
