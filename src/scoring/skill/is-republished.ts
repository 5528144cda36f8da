import type { UngradedReason } from "./grade.ts";
import type { Letter } from "./letter.ts";
import { REPUBLISH_EVIDENCE_MOVE, REPUBLISH_MOVE } from "./parameters.ts";

/** The published part of a grade. */
export interface PublishedGrade {
  readonly score: number | null;
  readonly grade: Letter | null;
  readonly forecastScore: number | null;
  readonly forecastEvidence: number | null;
  /** Why there is no letter; null with one. */
  readonly reason: UngradedReason | null;
}

/**
 * Whether a newly computed grade replaces the published one: a score moved by half a point or more, the
 * letter changed, the evidence moved by 0.05 or more, any of them appeared or disappeared, or the reason for
 * having no letter changed.
 *
 * @param previous the published grade; null when there is none
 */
export function isRepublished(previous: PublishedGrade | null, next: PublishedGrade): boolean {
  if (previous === null) return true;
  return (
    previous.grade !== next.grade ||
    previous.reason !== next.reason ||
    hasMoved(previous.score, next.score, REPUBLISH_MOVE) ||
    hasMoved(previous.forecastScore, next.forecastScore, REPUBLISH_MOVE) ||
    hasMoved(previous.forecastEvidence, next.forecastEvidence, REPUBLISH_EVIDENCE_MOVE)
  );
}

/**
 * Compared in ten-thousandths: 50.5 - 50 must be half a point, but floats make 0.35 - 0.3 slightly less than
 * 0.05.
 */
function hasMoved(previous: number | null, next: number | null, least: number): boolean {
  if (previous === null || next === null) return previous !== next;
  return Math.round(Math.abs(next - previous) * 10_000) >= Math.round(least * 10_000);
}
