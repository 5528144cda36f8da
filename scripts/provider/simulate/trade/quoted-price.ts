import type { EventPlan } from "../plan/event-plan.ts";
import type { LatentPath } from "../plan/latent-path.ts";

const LEAST_PRICE = 0.01;

/** The probability of outcome 0 as a quote: never certain before the end. */
export function quotedPrice(plan: EventPlan, path: LatentPath, ms: number): number {
  return Math.min(Math.max(path.at(plan.progressAt(ms)), LEAST_PRICE), 1 - LEAST_PRICE);
}
