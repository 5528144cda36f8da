/**
 * What is published as a whole and then announced, so that answers resting on it can be kept until the next: the rebuilt lists (`trending`
 * and `flows` are all their windows together), the stored reports, the flags, the daily prices, and large trades as they are captured. `results` moves
 * when markets end, get a result or lose one, so that no answer outlives the prices and values it shows of them.
 */
export const GENERATIONS = [
  "leaderboard",
  "trending",
  "explore",
  "large_positions",
  "flows",
  "reports",
  "suspicious_trades",
  "candles",
  "large_trades",
  "results",
] as const;

export type GenerationName = (typeof GENERATIONS)[number];

/** Under which key of the cache it is told which generation stands. The value says nothing but whether it is another one. */
export const generationKey = (name: GenerationName): string => `generation:${name}`;
