export const PICK_OUTCOMES = ["win", "loss", "void"] as const;

export type PickOutcome = (typeof PICK_OUTCOMES)[number];

const FULL_PPM = 1_000_000;

/**
 * The outcome of a pick by its market's payouts. Any payout other than all or nothing is void: the game was
 * cancelled, or the sides share.
 *
 * @param payoutsPpm payouts by outcome index, in millionths; null while the market has no result
 * @returns null while there is no result for the side
 */
export function pickOutcome(payoutsPpm: readonly number[] | null, outcomeIndex: number): PickOutcome | null {
  const payout = payoutsPpm?.[outcomeIndex];
  if (payout === undefined) return null;
  return payout === FULL_PPM ? "win" : payout === 0 ? "loss" : "void";
}
