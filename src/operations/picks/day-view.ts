import type { Plan } from "../../domain/accounts/accounts.ts";
import { opensPick, requiredPlans, type RequiredPlan } from "../../domain/picks/pick-access.ts";
import type { PickOutcome } from "../../domain/picks/pick-outcome.ts";

export interface DayPick {
  readonly id: string;
  readonly rank: number;
  readonly is_free: boolean;
  readonly published_at: string | null;
  readonly release_at: string;
  readonly outcome: PickOutcome | null;
}

/** What one caller sees of a product day. Each pick is in one of the lists. */
export interface DayView<Pick extends DayPick> {
  /** Published, and open to the caller. */
  readonly open: readonly Pick[];
  /** Not settled, and not open to the caller, released or not. */
  readonly locked: readonly { readonly rank: number; readonly required: RequiredPlan }[];
  /** For the caller, with the release still to come. */
  readonly scheduled: readonly Pick[];
  /** For the caller, past the release and not published. */
  readonly proofPending: readonly Pick[];
  /** Whether the release of any pick has come, for any caller. */
  readonly isReleased: boolean;
}

/** @param picks of one day, not withdrawn, by rank */
export function viewDay<Pick extends DayPick>(picks: readonly Pick[], plan: Plan, now: Date): DayView<Pick> {
  const required = requiredPlans(picks.map(({ id, rank, is_free }) => ({ id, rank, isFree: is_free })));
  const requiredOf = ({ id }: Pick): RequiredPlan => required.get(id) ?? "max";
  // A settled pick is open to everyone.
  const opens = (pick: Pick) => pick.outcome !== null || opensPick(plan, requiredOf(pick));
  const isDue = ({ release_at }: Pick) => Date.parse(release_at) <= now.getTime();
  const own = picks.filter(opens);
  const slots = own.filter(({ published_at }) => published_at === null);
  return {
    open: own.filter(({ published_at }) => published_at !== null),
    locked: picks.filter((pick) => !opens(pick)).map((pick) => ({ rank: pick.rank, required: requiredOf(pick) })),
    scheduled: slots.filter((pick) => !isDue(pick)),
    proofPending: slots.filter(isDue),
    isReleased: picks.some((pick) => pick.published_at !== null || isDue(pick)),
  };
}
