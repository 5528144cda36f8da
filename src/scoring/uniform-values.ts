/**
 * The value of the YES shares of a neg-risk event when all questions are equally likely: 1/Q dollar each, in
 * whole micro-dollars. The remainder of an uneven division goes to the first questions, so that one share of
 * each question adds up to exactly one dollar. The NO shares of a question are worth the rest of the dollar:
 * `sharesMicro` minus the value here.
 *
 * A conversion of NO shares of n of the Q questions books its legs at these values. The legs add up to the
 * dollars it pays, for any choice of questions: n NO legs are n * size minus the values of those n; the YES
 * legs are the values of the others; all values together are size; so NO minus YES is (n - 1) * size. Each
 * leg depends only on its question's index, Q and the size. No other position's average is needed, so the
 * fold stays per position and independent of order, as with splits and merges at half a dollar (Q = 2).
 *
 * @param sharesMicro of each question, 0 or more
 * @param questions Q, at least 2
 * @returns by question index, micro-dollars; each within one of sharesMicro / Q
 */
export function uniformValues(sharesMicro: bigint, questions: number): bigint[] {
  const count = BigInt(questions);
  const [part, remainder] = [sharesMicro / count, sharesMicro % count];
  return Array.from({ length: questions }, (_, index) => (BigInt(index) < remainder ? part + 1n : part));
}
