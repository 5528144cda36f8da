import type { Random } from "../random.ts";

/** How the probability of an outcome moves from its prior to its end, as information arrives. */
export interface LatentPath {
  /**
   * @param progress fraction of the information that has arrived, 0 to 1
   *
   * @returns probability of outcome 0, 0 to 1
   */
  at(progress: number): number;
}

const STEPS = 256;
/**
 * Strength of all information together, in deviations of the log odds: at the end the outcome is almost
 * certain.
 */
const STRENGTH = 3.2;

/**
 * The exact posterior of an observer who starts at `prior` and sees a noisy signal of the truth. It is a
 * martingale, so no strategy gains from the price alone.
 */
export function createLatentPath(prior: number, happens: boolean, random: Random): LatentPath {
  const step = 1 / STEPS;
  const drift = ((happens ? 1 : -1) * STRENGTH * STRENGTH * step) / 2;
  const deviation = STRENGTH * Math.sqrt(step);
  const logOdds = [Math.log(prior / (1 - prior))];
  for (let index = 0; index < STEPS; index += 1)
    logOdds.push((logOdds[index] ?? 0) + drift + deviation * random.normal());
  return {
    at: (progress) => 1 / (1 + Math.exp(-(logOdds[Math.round(Math.min(Math.max(progress, 0), 1) * STEPS)] ?? 0))),
  };
}
