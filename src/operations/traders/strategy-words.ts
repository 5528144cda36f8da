import type { STRATEGIES } from "../../domain/strategies.ts";

/** What a reader is told of each type: how the wallet trades, never how well. */
export const STRATEGY_WORDS: Readonly<Record<(typeof STRATEGIES)[number], string>> = {
  accumulator: "Builds up one side of a market over time.",
  algo_trader: "Trades at the pace of a machine.",
  arbitrageur: "Takes both sides where their prices leave a gap.",
  category_focused: "Puts most of its money into one category.",
  directional: "Takes a side and holds it.",
  diversified: "Spreads its money over several categories.",
  event_driven: "Trades around resolutions.",
  high_activity: "Makes fifty trades or more on an average active day.",
  market_maker: "Quotes both sides of a market.",
  mixed: "Shows several of these behaviours at once.",
  momentum: "Adds as the price moves its way.",
  scalper: "Makes many small, quick trades.",
  speculator: "Shows no steady behaviour.",
  swing_trader: "Holds a side for days.",
  two_sided: "Holds both outcomes in many of its markets.",
  unclassified: "Shows none of the behaviours that have a name.",
};
