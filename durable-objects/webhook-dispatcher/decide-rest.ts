import type { Waiting } from "../../src/webhooks/read-waiting.ts";

/** What a look at the outbox leaves. */
export interface Standing extends Waiting {
  /** Whether it ended before it had read all that it could. */
  readonly more: boolean;
}

/** What cannot be read yet is looked for so soon again, and then after twice as long each time. */
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 1_000;
/** The pause of sweeps. Whoever publishes events calls, so that looking for them in between is for calls that were lost. */
export const SWEEP_MS = 15_000;
/** As often as cron calls. */
const UNUSED_MS = 60_000;

/**
 * How long the dispatcher rests after a look, in milliseconds. Events that are behind the place though all has been read were committed while
 * an older transaction had not ended; they can be read as soon as it has, of which nobody is told.
 *
 * @param inVain looks in a row that left such events, this one among them
 */
export function decideRest({ more, isAnyEvent, isAnyoneServed }: Standing, inVain: number): number {
  if (more) return 0;
  if (!isAnyoneServed) return UNUSED_MS;
  return isAnyEvent ? Math.min(LAST_LOOK_MS, FIRST_LOOK_MS * 2 ** (inVain - 1)) : SWEEP_MS;
}
