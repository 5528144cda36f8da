export type Direction = "YES" | "NO";

/** The fields of a trade that determine its direction. */
export interface DirectedTrade {
  readonly side: "BUY" | "SELL";
  /** 0 is YES, 1 is NO; null for markets with more outcomes or not yet read. */
  readonly outcomeIndex: number | null;
}

/**
 * The side that a trade backs: buying YES and selling NO back YES.
 *
 * @returns null when the outcome is neither YES nor NO
 * Source: the contract.
 */
export function directionOf({ side, outcomeIndex }: DirectedTrade): Direction | null {
  if (outcomeIndex !== 0 && outcomeIndex !== 1) return null;
  return (side === "BUY") === (outcomeIndex === 0) ? "YES" : "NO";
}
