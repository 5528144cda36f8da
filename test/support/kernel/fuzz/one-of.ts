import fc, { type Arbitrary } from "fast-check";

/** One of these, as often as its weight says. */
export const oneOf = <T>(...weighted: [weight: number, arbitrary: Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));
