import type { STRATEGIES } from "../../../domain/traders/strategies.ts";

/** Public description of each strategy type: how the trader trades, not how well. */
export const STRATEGY_DESCRIPTIONS: Readonly<Record<(typeof STRATEGIES)[number], string>> = {
  accumulator: "Builds up one side of a market over time.",
  algo_trader: "Trades at machine speed.",
  arbitrageur: "Buys both sides when their prices leave a gap.",
  category_focused: "Puts most of its money into one category.",
  directional: "Takes one side and holds it.",
  diversified: "Spreads its money over several categories.",
  event_driven: "Trades around resolutions.",
  high_activity: "Makes at least fifty trades on an average active day.",
  market_maker: "Quotes both sides of a market.",
  mixed: "Shows several of these behaviours at once.",
  momentum: "Adds to a position as the price moves in its favour.",
  scalper: "Makes many small, quick trades.",
  speculator: "Shows no steady behaviour.",
  swing_trader: "Holds one side for days.",
  two_sided: "Holds both outcomes in many of its markets.",
  unclassified: "Shows no named behaviour.",
};
