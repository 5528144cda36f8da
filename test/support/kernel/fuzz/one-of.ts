import fc, { type Arbitrary } from "fast-check";

/** One of these arbitraries, chosen by weight. */
export const oneOf = <T>(...weighted: [weight: number, arbitrary: Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
