import { parseMatchStatus } from "./match-status.ts";
import { HOUR_MS } from "../../scoring/utc-calendar.ts";

export const GAME_STATES = [
  "scheduled",
  "live",
  "paused",
  "ended",
  "postponed",
  "cancelled",
  "suspended",
  "delayed",
  "unknown",
] as const;

export type GameState = (typeof GAME_STATES)[number];

/** What the provider says about a game. Null: it said nothing. */
export interface ProviderGameFacts {
  readonly providerStatus: string | null;
  readonly period: string | null;
  readonly live: boolean | null;
  readonly ended: boolean | null;
  readonly scheduledAt: Date | null;
}

/** Periods between two parts of a game: `HT`, `Break`, and `End 3` after an inning. */
const BREAK = /^(ht|half ?time|break|intermission|end \d+)$/i;

/**
 * The state of a game by the provider's own word. The clock does not count: a kickoff that has passed is no
 * sign of play. Reads call a scheduled game unknown once its kickoff is long past (`OVERDUE_AFTER_MS`).
 */
export function gameStateOf({ providerStatus, period, live, ended, scheduledAt }: ProviderGameFacts): GameState {
  const match = parseMatchStatus(providerStatus);
  switch (match) {
    case "postponed":
      return "postponed";
    case "cancelled":
    case "not_necessary":
      return "cancelled";
    case "final":
    case "final_overtime":
    case "final_shootout":
    case "awarded":
    case "forfeit":
      return "ended";
    default:
  }
  if (ended === true) return "ended";
  if (match === "suspended" || match === "delayed") return match;
  const isInPlay = live ?? (match === "in_progress" || match === "halftime" || match === "penalty_shootout");
  if (isInPlay) return match === "halftime" || (period !== null && BREAK.test(period)) ? "paused" : "live";
  if (match === null || match === "scheduled") return scheduledAt === null ? "unknown" : "scheduled";
  // The status names play and the flag denies it, or no sport is known to use the status.
  return "unknown";
}

/** How long after its kickoff a game without a sign of play still counts as scheduled. */
export const OVERDUE_AFTER_MS = HOUR_MS;

/** States of a game that will not be played as scheduled. */
export const OFF_STATES = ["postponed", "cancelled"] as const satisfies readonly GameState[];
