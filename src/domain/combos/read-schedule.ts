import { HOUR_MS, MINUTE_MS } from "../../scoring/utc-calendar.ts";

/** The first wait for what is still open; it doubles up to the longest. */
const FIRST_WAIT_MS = 30 * MINUTE_MS;
const LONGEST_WAIT_MS = 24 * HOUR_MS;
/** Open combos may be compressed or unwrapped at any time, which no other feed shows. */
const HELD_WAIT_MS = 6 * HOUR_MS;

export interface ComboReadState {
  /** Reads in a row that left something open. */
  readonly attempts: number;
  /** A combo is unknown, or an event is not booked. */
  readonly isOpen: boolean;
  /** The trader has open shares in an unresolved combo. */
  readonly holds: boolean;
}

/** When a trader's combos are read next; null when nothing can change without a new trade. */
export function nextComboRead({ attempts, isOpen, holds }: ComboReadState, now: Date): Date | null {
  if (isOpen) {
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 10), LONGEST_WAIT_MS);
    return new Date(now.getTime() + waitMs);
  }
  return holds ? new Date(now.getTime() + HELD_WAIT_MS) : null;
}
