import { systemClock } from "../../lib/timing/clock.ts";
import { EndpointRun, type DrainSettings } from "./endpoint-run.ts";

/** The loop runs at least this often while attempts are in flight. */
const POLL_MS = 1_000;

/**
 * Delivers to one endpoint until nothing is due, with as many concurrent attempts as the endpoint's state
 * allows. Begins no attempt after `endsAtMs` or during a hold, and returns when all attempts are recorded and
 * all claims released.
 *
 * @returns when the next delivery is due, Unix milliseconds, possibly in the past; null when none is pending
 * @throws errors of claiming and releasing, after the attempts in flight have been recorded
 */
export async function drainEndpoint(
  endpointId: string,
  endsAtMs: number,
  settings: DrainSettings,
): Promise<number | null> {
  const { wakeSignal, now, holdUntilMs } = settings;
  const run = new EndpointRun(endpointId, settings);
  // One timer for the run: the loop waits after every attempt.
  const stopPolling = systemClock.every(POLL_MS, () => wakeSignal.resume());
  try {
    for (;;) {
      wakeSignal.takeSet();
      const isOver = now() >= endsAtMs || run.isSpent() || holdUntilMs() > now();
      if (isOver || run.mustRelease()) await run.release();
      if (!isOver) {
        await run.claimIfDue();
        run.begin();
      }
      if (run.isIdle()) return isOver ? Math.max(now(), holdUntilMs()) : run.nextDueAtMs();
      await wakeSignal.wait();
    }
  } finally {
    stopPolling();
    await run.end();
  }
}
