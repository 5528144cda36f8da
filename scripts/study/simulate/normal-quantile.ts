import { normalCdf } from "../../../src/scoring/skill/normal-cdf.ts";

/**
 * The x with the given standard normal distribution function value, by bisection.
 *
 * @param probability above 0 and below 1
 */
export function normalQuantile(probability: number): number {
  let low = -8;
  let high = 8;
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
