/**
 * What the YES shares of a neg-risk event are worth when every question is taken for equally likely: 1/Q dollar each, in whole
 * micro-dollars. The parts of an uneven division go to the first questions, so that one share of each question is together exactly a
 * dollar. The NO shares of a question are worth the rest of a dollar: `sharesMicro` less its value here.
 *
 * A conversion of NO shares of n of the Q questions books its legs at these values. They come to the dollars it pays, for any choice of
 * questions: n NO legs are n * size less the values of those n; the YES legs are the values of the others; all values together are size;
 * so NO less YES is (n - 1) * size. Each leg rests on its own question's place, Q and the size alone: no other position's average is
 * needed, and a fold stays per position and independent of order, as with splits and merges at half a dollar (Q = 2).
 *
 * @param sharesMicro of each question, 0 or more
 * @param questions Q, at least 2
 * @returns by question index, micro-dollars; each within one of sharesMicro / Q
 */
export function uniformValues(sharesMicro: bigint, questions: number): bigint[] {
  const count = BigInt(questions);
  const [part, rest] = [sharesMicro / count, sharesMicro % count];
  return Array.from({ length: questions }, (_, index) => (BigInt(index) < rest ? part + 1n : part));
}
