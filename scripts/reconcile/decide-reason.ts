import { CENT_MICRO, magnitude, type ComparedFigure, type ComparedHistory, type Reason } from "./compared-position.ts";
import type { ProviderPosition } from "./recording-facts.ts";

export interface Evidence {
  readonly position: Pick<ProviderPosition, "status" | "stepMicro">;
  readonly history: ComparedHistory;
  readonly figures: readonly ComparedFigure[];
  /** A split, merge or migration of this market is recorded, but its legs could not be booked. */
  readonly isUnbooked: boolean;
  /** A conversion in this market or its event is recorded. */
  readonly isConverted: boolean;
  /** Realized by sales and merges alone, without settlement. */
  readonly soldMicro: bigint;
}

/**
 * The first matching reason: reasons that prevent a comparison come before those that explain a difference.
 */
export function decideReason({ position, history, figures, isUnbooked, isConverted, soldMicro }: Evidence): {
  reason: Reason;
  why: string;
} {
  const says = (reason: Reason, why: string) => ({ reason, why });
  const step = position.stepMicro;
  const missing = history.theirBoughtMicro - history.boughtMicro;
  const surplus = history.openSharesMicro - history.theirOpenSharesMicro;
  if (history.movements === 0) return says("not comparable", "no fill of this position is recorded");
  // The provider moves a conversion's result between the event's positions and we price its legs alike, so
  // equal figures would be a coincidence.
  if (isConverted) return says("conversion", "a conversion moved shares between this event's positions");
  if (isUnbooked)
    return says("split/merge", "a split, merge or migration is recorded without the legs it takes to book it");
  if (missing > step)
    return says(
      "missing history",
      `${shares(missing)} of ${shares(history.theirBoughtMicro)} bought shares have no fill`,
    );
  if (missing < -step)
    return says("unknown", `the recording has ${shares(-missing)} more bought shares than the provider`);
  if (surplus > step) return says("transfer", `${shares(surplus)} shares left without a recorded sale`);
  if (surplus < -step) return says("transfer", `${shares(-surplus)} shares came without a recorded purchase`);

  if (figures.every(({ differenceMicro }) => magnitude(differenceMicro) <= CENT_MICRO))
    return says("agrees", "within a cent");
  if (figures.every(({ differenceMicro, allowedMicro }) => magnitude(differenceMicro) <= allowedMicro)) {
    return says(
      "provider rounding",
      isReplayed(figures, step)
        ? "its arithmetic on these fills gives its figure"
        : "within what its arithmetic can lose",
    );
  }
  const [realized] = figures;
  if (
    position.status === "closed" &&
    realized !== undefined &&
    magnitude(soldMicro - realized.theirsMicro) <= realized.allowedMicro
  ) {
    return says("transfer", "the provider settled nothing: the shares that were not sold had been transferred");
  }
  return says("unknown", "the fills are complete and the figures differ");
}

/**
 * Whether the provider's own arithmetic on the same fills gives its printed figures, to its step and one
 * micro-dollar of a product.
 */
export const isReplayed = (figures: readonly ComparedFigure[], stepMicro: bigint): boolean =>
  figures.every(({ unexplainedMicro }) => magnitude(unexplainedMicro) <= stepMicro + 1n);

const shares = (micro: bigint): string => String(Number(micro) / 1e6);
