import { CENT_MICRO, magnitude, REASONS, type ComparedPosition, type Reason } from "./compared-position.ts";
import { isReplayed } from "./decide-reason.ts";
import type { FileReport } from "./recording-facts.ts";
import { MIN_COMPLETE_POSITIONS, MIN_EXPLAINED_SHARE, MAX_UNREADABLE_SHARE } from "./thresholds.ts";

/** Shares are fractions from 0 to 1; null where there are no positions to count. */
export interface Summary {
  readonly positions: number;
  readonly byReason: Readonly<Record<Reason, number>>;
  /**
   * Positions with a recorded entry for every share that the provider counts. The shares and errors below are
   * over these.
   */
  readonly complete: number;
  readonly withinCentShare: number | null;
  /** Within what the provider's rounding explains. */
  readonly explainedShare: number | null;
  /** The provider's arithmetic on the same fills reproduces its figures to the last printed digit. */
  readonly replayedShare: number | null;
  /** Positions in which that arithmetic loses less than a cent, and the share of them within a cent. */
  readonly unrounded: number;
  readonly unroundedWithinCentShare: number | null;
  /**
   * Of |ours - theirs| / |theirs| of a position's whole P&L, without positions whose figure is 0. Null
   * without any.
   */
  readonly medianRelativeError: number | null;
  readonly p95RelativeError: number | null;
  readonly readRows: number;
  readonly unreadableRows: number;
}

/** @param unfit reasons of trades that were read but refused by the product's own schema or mapping */
export function summarize(
  positions: readonly ComparedPosition[],
  files: readonly FileReport[],
  unfit: readonly string[],
): Summary {
  const complete = positions.filter(isComparable);
  const unrounded = complete.filter(({ figures }) =>
    figures.every((figure) => magnitude(figure.differenceMicro + figure.unexplainedMicro) < CENT_MICRO),
  );
  const errors = complete.flatMap((position) => relativeError(position) ?? []).sort((a, b) => a - b);
  const known = files.filter(({ shape }) => shape !== null);
  return {
    positions: positions.length,
    // The cast is safe: every reason is a key, built from the same list.
    byReason: Object.fromEntries(
      REASONS.map((reason) => [reason, positions.filter((one) => one.reason === reason).length]),
    ) as Record<Reason, number>,
    complete: complete.length,
    withinCentShare: shareOf(complete, isWithinCent),
    explainedShare: shareOf(complete, ({ reason }) => reason === "agrees" || reason === "provider rounding"),
    replayedShare: shareOf(complete, ({ figures, position }) => isReplayed(figures, position.stepMicro)),
    unrounded: unrounded.length,
    unroundedWithinCentShare: shareOf(unrounded, isWithinCent),
    medianRelativeError: quantile(errors, 0.5),
    p95RelativeError: quantile(errors, 0.95),
    readRows: known.reduce((sum, { rows }) => sum + rows, 0),
    unreadableRows: known.reduce((sum, { unreadable }) => sum + unreadable.length, 0) + unfit.length,
  };
}

/** The reasons why the run fails, one sentence each; empty when it passes. */
export function listFailures(summary: Summary): string[] {
  const failures: string[] = [];
  if (summary.complete < MIN_COMPLETE_POSITIONS)
    failures.push("no position of the provider has all its fills recorded: nothing was compared");
  if (summary.explainedShare !== null && summary.explainedShare < MIN_EXPLAINED_SHARE) {
    failures.push(
      `rounding explains ${percent(summary.explainedShare)} of the positions with complete history; the minimum is all of them`,
    );
  }
  if (summary.unreadableRows > summary.readRows * MAX_UNREADABLE_SHARE) {
    failures.push(
      `${summary.unreadableRows} of ${summary.readRows} rows were unreadable; the maximum is ${percent(MAX_UNREADABLE_SHARE)}`,
    );
  }
  return failures;
}

/**
 * Positions with a valid comparison. This includes more fills than the provider counts, which may be counted
 * twice.
 */
export const isComparable = ({ reason }: ComparedPosition): boolean =>
  reason === "agrees" || reason === "provider rounding" || reason === "unknown";

export const totalOf = ({ figures }: ComparedPosition, of: "oursMicro" | "theirsMicro"): bigint =>
  figures.reduce((sum, figure) => sum + figure[of], 0n);

const isWithinCent = ({ figures }: ComparedPosition): boolean =>
  figures.every(({ differenceMicro }) => magnitude(differenceMicro) <= CENT_MICRO);

function relativeError(position: ComparedPosition): number | null {
  const theirs = totalOf(position, "theirsMicro");
  return theirs === 0n ? null : Math.abs(Number(totalOf(position, "oursMicro") - theirs) / Number(theirs));
}

function shareOf<Row>(rows: readonly Row[], holds: (row: Row) => boolean): number | null {
  return rows.length === 0 ? null : rows.filter(holds).length / rows.length;
}

/** Nearest rank: the smallest value with at least this share of the values at or below it. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

const percent = (share: number): string => `${Math.floor(share * 1e4) / 100} %`;
