import type { Plan } from "../accounts/accounts.ts";

/** A Pro account opens the free selection and this many further picks of a day, in publication order. */
export const PRO_PICKS = 4;

/** The lowest plan that opens a pick before it has settled. */
export type RequiredPlan = Plan;

export interface AccessedPick {
  readonly id: string;
  readonly rank: number;
  readonly isFree: boolean;
}

const LEVEL: Readonly<Record<Plan, number>> = { free: 0, pro: 1, max: 2 };

/**
 * The plan that each pick of one day requires. A settled pick needs none, but it still counts among the picks of
 * Pro: what an account opens does not change when a game ends.
 *
 * @param picks the picks of one day that are not withdrawn, in any order
 */
export function requiredPlans(picks: readonly AccessedPick[]): ReadonlyMap<string, RequiredPlan> {
  const paid = picks.filter(({ isFree }) => !isFree).toSorted((a, b) => a.rank - b.rank);
  return new Map(
    picks.map(({ id, isFree }): [string, RequiredPlan] => {
      if (isFree) return [id, "free"];
      return [id, paid.findIndex((pick) => pick.id === id) < PRO_PICKS ? "pro" : "max"];
    }),
  );
}

export const opensPick = (plan: Plan, required: RequiredPlan): boolean => LEVEL[plan] >= LEVEL[required];
