import type { Backlog } from "../../src/webhooks/delivery/read-backlog.ts";
import { backoff } from "../../src/lib/timing/backoff.ts";

/** The state of the dispatcher after one run. */
export interface DispatchState extends Backlog {
  /** Whether the run ended before it had read all readable events. */
  readonly more: boolean;
}

/** Poll delay for events that are not readable yet; it doubles from the first to the maximum. */
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 1_000;
/** Interval of sweeps. Publishers of events call `wake`, so polling in between only covers lost calls. */
export const SWEEP_MS = 15_000;
/** The interval of the cron trigger. */
const IDLE_MS = 60_000;

/**
 * The dispatcher's pause after a run, in milliseconds. Events that remain after everything readable has been
 * read were committed while an older transaction was still open. They become readable when it ends, which is
 * not signalled, so the dispatcher polls.
 *
 * @param emptyReads consecutive runs that left such events, including this one
 */
export function decidePause({ more, hasEvents, hasReceivers }: DispatchState, emptyReads: number): number {
  if (more) return 0;
  if (!hasReceivers) return IDLE_MS;
  return hasEvents ? backoff(emptyReads, FIRST_POLL_MS, MAX_POLL_MS) : SWEEP_MS;
}
