import { withTimeout } from "../lib/timing/with-timeout.ts";

/** A slower probe counts as failed. */
export const PROBE_TIMEOUT_MS = 3_000;

/** Whether a probe succeeds in time. */
export const isAnswered = (probe: Promise<unknown>): Promise<boolean> =>
  withTimeout(probe, PROBE_TIMEOUT_MS).then(
    () => true,
    () => false,
  );
