import { EndpointRun, type DrainSettings } from "./endpoint-run.ts";

/** Attempts under way are looked after at least this often. */
const TURN_MS = 1_000;

/**
 * Delivers what is due to one endpoint until nothing is, as many attempts at once as the endpoint's standing allows. Begins none after
 * `endsAtMs` or once the endpoint is held, and returns when the last has been recorded and nothing is claimed any more.
 *
 * @returns when the next delivery is due, which may be past; null when none waits
 * @throws what claiming and giving back throw, once the attempts under way have been recorded
 */
export async function drainEndpoint(endpointId: string, endsAtMs: number, settings: DrainSettings): Promise<number | null> {
  const { bell, now, heldUntilMs } = settings;
  const run = new EndpointRun(endpointId, settings);
  try {
    for (;;) {
      bell.wasRung();
      const isOver = now() >= endsAtMs || run.isSpent() || heldUntilMs() > now();
      if (isOver || run.mustRelease()) await run.release();
      if (!isOver) {
        if (run.mayClaim()) await run.claim();
        run.begin();
      }
      if (run.isAtRest()) return isOver ? Math.max(now(), heldUntilMs()) : run.nextDueAtMs();
      await bell.next(TURN_MS);
    }
  } finally {
    await run.end();
  }
}
